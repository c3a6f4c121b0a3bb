"""Every text of our own pages, in both languages."""

from dataclasses import dataclass

LANGUAGES = ("pt-BR", "en")


@dataclass(frozen=True, slots=True)
class Localized:
    portuguese: str
    english: str

    def in_(self, language: str) -> str:
        return self.english if language == "en" else self.portuguese


L = Localized

WORDS: dict[str, Localized] = {
    "product": L("Kadu", "Kadu"),
    "skip": L("Ir para o conteúdo", "Skip to content"),
    "connect": L("Conectar o seu programa", "Connect your program"),
    "connect_lead": L(
        "O Kadu trabalha dentro do seu assistente. Acrescente-o uma vez, com este endereço.",
        "Kadu works inside your assistant. Add it once, with this address.",
    ),
    "address": L("Endereço", "Address"),
    "then_sign_in": L(
        "O programa abre o navegador para você entrar e escolher o que permite. Não há chave para copiar.",
        "The program opens your browser, where you sign in and choose what to allow. There is no key to copy.",
    ),
    "only_local": L(
        "Este endereço só existe neste computador. Claude, ChatGPT e outros que rodam na nuvem não o alcançam; "
        "use os programas deste computador.",
        "This address exists on this computer only. Claude, ChatGPT and others that run in the cloud do not reach it; "
        "use the programs of this computer.",
    ),
    "copy_text": L("Copiar", "Copy"),
    "copied": L("Copiado", "Copied"),
    "add_to": L("Abrir no {client}", "Open in {client}"),
    "account": L("Sua conta", "Your account"),
    "you_are": L("Você", "You"),
    "organization": L("Empresa", "Company"),
    "role": L("Papel", "Role"),
    "role_owner": L("dono", "owner"),
    "role_manager": L("gestor", "manager"),
    "role_operator": L("operador", "operator"),
    "role_viewer": L("leitor", "viewer"),
    "programs_and_browsers": L(
        "Programas com acesso e navegadores em que você entrou",
        "Programs with access, and browsers in which you are signed in",
    ),
    "sign_out": L("Sair", "Sign out"),
    "signed_out": L("Você saiu", "You are signed out"),
    "signed_out_lead": L(
        "Os programas que você conectou continuam conectados.", "The programs that you connected stay connected."
    ),
    "sign_in_again": L("Entrar de novo", "Sign in again"),
    "sign_in_expired": L("Este início de sessão expirou", "This sign-in has expired"),
    "sign_in_expired_lead": L(
        "Ele durou mais de dez minutos, ou começou em outro navegador.",
        "It took more than ten minutes, or began in another browser.",
    ),
    "sign_in_denied": L("Você não entrou", "You did not sign in"),
    "sign_in_denied_lead": L("O pedido foi recusado. Nada mudou.", "The request was refused. Nothing changed."),
    "sign_in_failed": L("Não foi possível entrar", "Signing in failed"),
    "sign_in_failed_lead": L(
        "O servidor em que você entra respondeu de um modo que não aceitamos. Tente de novo; se continuar, avise quem "
        "administra o Kadu.",
        "The server at which you sign in answered in a way that we do not accept. Try again; if it goes on, tell "
        "whoever runs Kadu.",
    ),
    "not_a_member": L("Você não participa do Kadu", "You are not a member of Kadu"),
    "not_a_member_lead": L(
        "Nenhuma empresa convidou esta conta. Peça um convite a quem administra o Kadu na sua, com este e-mail.",
        "No company invited this account. Ask whoever runs Kadu in yours for an invitation, with this e-mail.",
    ),
    "foreign_form": L("Este pedido não veio daqui", "This request did not come from here"),
    "foreign_form_lead": L("Nada mudou. Abra a página de novo.", "Nothing changed. Open the page again."),
    "unavailable": L("O Kadu não responde agora", "Kadu does not answer at the moment"),
    "unavailable_lead": L("Nada se perdeu. Tente de novo em instantes.", "Nothing is lost. Try again in a moment."),
    "nothing_here": L("Não há nada aqui", "There is nothing here"),
    "nothing_here_lead": L("O endereço pode ter sido escrito errado.", "The address may have been written wrongly."),
    "endpoint": L("Este endereço é para o seu programa", "This address is for your program"),
    "endpoint_lead": L(
        "Aqui respondem assistentes e programas, não navegadores. Veja abaixo como conectar o seu.",
        "Assistants and programs talk here, not browsers. See below how to connect yours.",
    ),
}
