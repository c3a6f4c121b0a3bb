"""What stops the boot."""


class RegistryError(Exception):
    """The catalogue is inconsistent; the process must not start."""
