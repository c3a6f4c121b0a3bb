"""The embedded issuer: who may act for whom, as signed tokens (RFC 9068) that our services verify."""
