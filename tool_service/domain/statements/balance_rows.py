"""Rows that state a balance and move no money: banks print "SALDO ANTERIOR" among the movements."""

import re
from enum import Enum

from tool_service.domain.statements.cleaning import fold


class BalanceRow(Enum):
    OPENING = "opening"
    CLOSING = "closing"
    # Of some day in between: the movements already say it.
    INTERIM = "interim"


# Whole descriptions, dates and numbers left out. "SALDO DEVEDOR QUITADO" is a payment and must not match.
_PHRASES = {
    "saldo anterior": BalanceRow.OPENING,
    "saldo inicial": BalanceRow.OPENING,
    "opening balance": BalanceRow.OPENING,
    "previous balance": BalanceRow.OPENING,
    "saldo final": BalanceRow.CLOSING,
    "saldo atual": BalanceRow.CLOSING,
    "closing balance": BalanceRow.CLOSING,
    "ending balance": BalanceRow.CLOSING,
    "saldo": BalanceRow.INTERIM,
    "s a l d o": BalanceRow.INTERIM,
    "saldo do dia": BalanceRow.INTERIM,
    "saldo dia": BalanceRow.INTERIM,
    "saldo parcial": BalanceRow.INTERIM,
    "saldo total": BalanceRow.INTERIM,
    "saldo disponivel": BalanceRow.INTERIM,
    "saldo total disponivel dia": BalanceRow.INTERIM,
    "balance": BalanceRow.INTERIM,
}
_BEGINNINGS = frozenset(phrase[:5] for phrase in _PHRASES)
_NUMBERS = re.compile(r"[0-9]+")


def balance_row(description: str) -> BalanceRow | None:
    """Which balance the row states, or None for a movement."""
    if description[:5].lower() not in _BEGINNINGS:
        return None
    return _PHRASES.get(" ".join(_NUMBERS.sub(" ", fold(description)).split()))
