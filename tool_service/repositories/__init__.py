"""SQL, one module per aggregate. Every repository is constructed for one organization."""
