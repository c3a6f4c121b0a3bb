"""What fulfils the ports: the system's clock, key files, object stores, runners. Chosen in app.py."""
