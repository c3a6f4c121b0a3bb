"""The gRPC face: wire to (caller, name, arguments) and back. It knows no rule of any operation."""
