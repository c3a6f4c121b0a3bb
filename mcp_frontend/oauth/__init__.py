"""The resource server's side of OAuth: who a token stands for, and how a client learns where to get one."""
