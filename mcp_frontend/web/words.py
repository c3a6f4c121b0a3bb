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
    "approvals": L("Confirmações", "Confirmations"),
    "approvals_lead": L(
        "O que programas pediram em seu nome e só acontece se você continuar.",
        "What programs asked for in your name, which happens only if you continue.",
    ),
    "approval_pending": L("Continuar com isto?", "Go on with this?"),
    "approval_impossible": L("Isto não pode ser feito agora", "This cannot be done now"),
    "approval_accepted_lead": L(
        "O Kadu aceitou o que você confirmou e vai fazê-lo em seguida. Acompanhe no seu programa.",
        "Kadu accepted what you confirmed and does it next. Follow it in your program.",
    ),
    "approval_running": L("Em andamento", "Under way"),
    "approval_running_lead": L(
        "Você escolheu Continuar. Esta página se atualiza sozinha.", "You chose Continue. This page updates by itself."
    ),
    "approval_completed": L("Feito", "Done"),
    "approval_completed_lead": L(
        "O Kadu fez o que você confirmou. Pode voltar ao seu programa.",
        "Kadu did what you confirmed. You can go back to your program.",
    ),
    "approval_failed": L("Não deu certo", "It did not work"),
    "approval_failed_lead": L(
        "Você escolheu Continuar, e o Kadu não pôde fazer isto:", "You chose Continue, and Kadu could not do this:"
    ),
    "approval_declined": L("Cancelado", "Canceled"),
    "approval_declined_lead": L("Nada foi feito.", "Nothing was done."),
    "approval_expired": L("O prazo acabou", "The time is over"),
    "approval_expired_lead": L(
        "Ninguém decidiu a tempo, e nada foi feito. Se ainda quiser, peça de novo no seu programa.",
        "Nobody decided in time, and nothing was done. If you still want it, ask again in your program.",
    ),
    "status_pending": L("à espera", "waiting"),
    "status_running": L("em andamento", "under way"),
    "status_completed": L("feito", "done"),
    "status_failed": L("não deu certo", "did not work"),
    "status_declined": L("cancelado", "canceled"),
    "status_expired": L("prazo acabou", "time was over"),
    "asked_by_program": L("Pedido por", "Asked for by"),
    "claimed_name": L("nome que o próprio programa informa", "the name that the program gives itself"),
    "unnamed_program": L("um programa que não disse o nome", "a program that gave no name"),
    "in_the_name_of": L("Em nome de", "In the name of"),
    "asked_at": L("Pedido em", "Asked at"),
    "decided_at": L("Decidido em", "Decided at"),
    "open_until": L("Vale até", "Open until"),
    "minutes_left": L("faltam {minutes} min", "{minutes} min left"),
    "costs_at_most": L("Custo máximo", "Costs at most"),
    "costs_nothing": L("Sem custo", "Costs nothing"),
    "data_goes_to": L("Os dados vão para", "Data goes to"),
    "as_it_is_now": L("Como está agora", "As it is now"),
    "as_it_was": L("Como estava quando foi pedido", "As it was when it was asked for"),
    "all_that_was_sent": L("Tudo o que o programa enviou", "Everything that the program sent"),
    "tool": L("Operação", "Operation"),
    "nothing_kept": L(
        "Os detalhes são apagados um dia depois da decisão.", "The details are deleted a day after the decision."
    ),
    "continue": L("Continuar", "Continue"),
    "cancel": L("Cancelar", "Cancel"),
    "changed": L("Mudou desde o pedido", "It has changed since it was asked for"),
    "changed_before": L("Quando o programa pediu:", "When the program asked:"),
    "changed_now": L("Agora:", "Now:"),
    "look_again": L(
        "Nada foi feito ainda. Leia de novo o que vai acontecer e decida.",
        "Nothing has been done yet. Read again what will happen, and decide.",
    ),
    "too_late": L(
        "Isto já estava decidido quando o seu clique chegou. Vale o que está abaixo.",
        "This was decided when your click arrived. What stands below counts.",
    ),
    "cannot_run": L("O motivo:", "The reason:"),
    "what_it_answered": L("Resposta completa", "The whole answer"),
    "all_approvals": L("Todas as confirmações", "All confirmations"),
    "waiting_for_you": L("À sua espera", "Waiting for you"),
    "earlier": L("Anteriores", "Earlier"),
    "none_waiting": L("Nada espera por você agora.", "Nothing waits for you now."),
    "none_earlier": L("Ainda não há nenhuma.", "There are none yet."),
    "no_such_approval": L("Esta confirmação não existe", "There is no such confirmation"),
    "no_such_approval_lead": L(
        "O endereço pode ter sido copiado pela metade.", "The address may have been copied in part."
    ),
    "not_your_approval": L("Esta confirmação é de outra pessoa", "This confirmation is somebody else's"),
    "not_your_approval_lead": L(
        "Só quem pediu pode decidir. Esta tentativa ficou registrada.",
        "Only the person who asked can decide. This attempt was put on record.",
    ),
    "you_are_signed_in_as": L("Você entrou como", "You are signed in as"),
    "use_another_account": L("Sair e entrar com outra conta", "Sign out and use another account"),
    "signed_out_meanwhile": L("Você não está mais conectado", "You are signed out"),
    "signed_out_meanwhile_lead": L(
        "Nada foi feito. Entre de novo, leia o que vai acontecer e decida.",
        "Nothing was done. Sign in again, read what will happen, and decide.",
    ),
    "our_fault": L("Algo deu errado do nosso lado", "Something went wrong on our side"),
    "our_fault_lead": L(
        "Nada acontece duas vezes. Abra a página de novo; se continuar, avise quem administra o Kadu.",
        "Nothing happens twice. Open the page again; if it goes on, tell whoever runs Kadu.",
    ),
    "outcome_unknown": L("Ainda não sabemos", "We do not know yet"),
    "outcome_unknown_lead": L(
        "O Kadu não respondeu a tempo. A sua escolha pode já valer, e nunca acontece duas vezes. Abra a página de novo "
        "para ver.",
        "Kadu did not answer in time. Your choice may count already, and never happens twice. Open the page again to "
        "see.",
    ),
    "open_again": L("Abrir de novo", "Open it again"),
}
