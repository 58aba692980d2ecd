"""The window: the reference for everybody who writes one."""
