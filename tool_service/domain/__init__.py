"""The rules of Kadu, without I/O: values in, values or an OperationError out."""
