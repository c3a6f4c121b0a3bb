"""The demo organization: its people, one of each role, and its tasks. Everybody and everything is made up.

A second organization, with one person, is there to show that neither sees anything of the other.
Ids are derived from names, so that they are the same on every machine.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from tool_service.domain.caller import Role

TOKEN_LIFETIME = timedelta(hours=12)
# Of every demo person. It is printed, and stands here: nothing of the demo organization is worth keeping from anybody.
PASSWORD = "girassol-no-forno"
_NAMESPACE = UUID("0198c0de-0000-7000-8000-6b6164750000")


def _demo_id(kind: str, name: str) -> UUID:
    return uuid5(_NAMESPACE, f"{kind}:{name}")


@dataclass(frozen=True, slots=True)
class DemoOrganization:
    """A company that uses Kadu."""

    name: str
    document_number: str

    @property
    def id(self) -> UUID:
        return _demo_id("organization", self.name)


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """Somebody and the role that they have in one organization."""

    name: str
    email: str
    role: Role
    organization: DemoOrganization

    @property
    def id(self) -> UUID:
        return _demo_id("person", self.email)

    @property
    def member_id(self) -> UUID:
        return _demo_id("member", self.email)


@dataclass(frozen=True, slots=True)
class DemoTask:
    """A task that every operator may run; the embedded runner understands its instructions."""

    slug: str
    name: str
    description: str
    instructions: str
    input_schema: dict[str, Any]

    @property
    def id(self) -> UUID:
        return _demo_id("task", self.slug)


BAKERY = DemoOrganization("Padaria Girassol Ltda", "11222333000181")
WORKSHOP = DemoOrganization("Oficina Boreal Ltda", "98765432000198")

OWNER = DemoPerson("Helena Prado", "helena@example.com", Role.OWNER, BAKERY)
MANAGER = DemoPerson("Rafael Nogueira", "rafael@example.com", Role.MANAGER, BAKERY)
OPERATOR = DemoPerson("Camila Teixeira", "camila@example.com", Role.OPERATOR, BAKERY)
VIEWER = DemoPerson("Tiago Lacerda", "tiago@example.com", Role.VIEWER, BAKERY)
STRANGER = DemoPerson("Marina Queiroz", "marina@example.com", Role.OWNER, WORKSHOP)

ORGANIZATIONS = (BAKERY, WORKSHOP)
PEOPLE = (OWNER, MANAGER, OPERATOR, VIEWER, STRANGER)


def _input_schema(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


STATEMENT_SUMMARY = DemoTask(
    slug="resumo-de-extrato",
    name="Resumo de extrato",
    description="Lê um extrato bancário (OFX ou CSV) e responde totais, categorias, maiores movimentos e duplicidades.",
    instructions=(
        "Resuma o extrato: entradas, saídas, saldo, categorias, maiores movimentos e lançamentos duplicados. "
        "Confira o saldo inicial e o final."
    ),
    input_schema=_input_schema({"report": {"const": "summary", "description": "Só há este relatório."}}),
)
RECONCILIATION = DemoTask(
    slug="conciliacao-de-extratos",
    name="Conciliação de extratos",
    description="Compara dois arquivos, como o extrato e o razão, e lista o que só está em um deles.",
    instructions="Faça a conciliação dos dois arquivos por valor exato e data próxima, e liste o que ficou sem par.",
    input_schema=_input_schema(
        {
            "report": {"const": "reconciliation", "description": "Só há este relatório."},
            "date_tolerance_days": {
                "type": "integer",
                "minimum": 0,
                "maximum": 31,
                "description": "Quantos dias as datas de um par podem diferir.",
            },
        }
    ),
)
CASH_FLOW = DemoTask(
    slug="fluxo-de-caixa-mensal",
    name="Fluxo de caixa mensal",
    description="Soma entradas e saídas de um ou mais extratos, mês a mês.",
    instructions="Monte o fluxo de caixa por mês: entradas, saídas e saldo de cada mês do extrato.",
    input_schema=_input_schema({"report": {"const": "cash_flow", "description": "Só há este relatório."}}),
)
TASKS = (STATEMENT_SUMMARY, RECONCILIATION, CASH_FLOW)
