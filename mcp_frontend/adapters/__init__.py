"""What fulfils the ports: the tool service over gRPC, the issuer over HTTP, the clock, the logs."""
