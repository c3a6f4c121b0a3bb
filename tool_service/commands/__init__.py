"""What operators do by hand: `python -m tool_service organization|member|token|service|grants`.

Each command is one transaction and one record in the audit; none needs a running service.
"""
