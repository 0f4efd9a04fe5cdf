"""The dependency graph: which task waits for which, drawn from left to right. UI room; pure parts import no Qt."""
