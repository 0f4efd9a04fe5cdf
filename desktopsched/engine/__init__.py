"""When things run. No I/O, no Qt."""
