"""Made-up statements of one bakery, to try Kadu with; README.md says what each shows."""

from pathlib import Path

_FOLDER = Path(__file__).parent

# By file name, which is also how people will see them.
SAMPLES: dict[str, Path] = {
    name: _FOLDER / name
    for name in (
        "extrato-outubro.ofx",
        "extrato-novembro.ofx",
        "extrato-novembro.csv",
        "lancamentos-novembro.csv",
    )
}
