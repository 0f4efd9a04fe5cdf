"""The first page: what stands in the window while there are no tasks, and the ways to a first one."""
