"""Every text of the issuer's pages, in both languages."""

from tool_service.domain.language import Localized

L = Localized

WORDS: dict[str, Localized] = {
    "product": L("Kadu", "Kadu"),
    "skip": L("Ir para o conteúdo", "Skip to content"),
    "sign_in": L("Entrar no Kadu", "Sign in to Kadu"),
    "sign_in_for": L("para continuar em", "to continue to"),
    "email": L("E-mail", "E-mail"),
    "password": L("Senha", "Password"),
    "enter": L("Entrar", "Sign in"),
    "wrong_credentials": L("E-mail ou senha incorretos.", "Wrong e-mail or password."),
    "too_many_failures": L(
        "Muitas tentativas com este e-mail. Tente de novo em {minutes} min.",
        "Too many attempts with this e-mail. Try again in {minutes} min.",
    ),
    "forgot": L(
        "Esqueceu a senha? Peça uma nova a quem administra o Kadu na sua empresa.",
        "Forgot it? Ask whoever runs Kadu in your company for a new one.",
    ),
    "consent_title": L("Permitir acesso ao Kadu", "Allow access to Kadu"),
    "consent_lead": L("quer agir por você no Kadu.", "wants to act for you in Kadu."),
    "who_asks": L("Quem pede", "Who asks"),
    "name_is_claimed": L("nome dado pelo próprio programa", "a name that the program gives itself"),
    "name_is_published": L("publicado em {host}", "published at {host}"),
    "answer_goes_to": L("A resposta vai para", "The answer goes to"),
    "this_device": L(
        "um programa neste dispositivo. Continue só se foi você quem começou, agora.",
        "a program on this device. Go on only if it was you who started this, just now.",
    ),
    "other_site": L(
        "Continue só se conhece este endereço e foi você quem começou.",
        "Go on only if you know this address and it was you who started this.",
    ),
    "you_are": L("Você", "You"),
    "other_person": L("Trocar de conta", "Switch account"),
    "organization": L("Empresa", "Company"),
    "may": L("O programa poderá", "The program may"),
    "may_read": L("Ler", "Read"),
    "may_change": L("Fazer e mudar", "Do and change"),
    "choose_fewer": L("Desmarque o que não quer permitir.", "Untick what you do not want to allow."),
    "role_forbids": L(
        "seu papel ainda não permite; vale se ele mudar",
        "your role does not allow it yet; counts if that changes",
    ),
    "asks_first": L(
        "Antes de apagar, cancelar ou rodar o agente, o Kadu sempre pergunta a você.",
        "Before it deletes, cancels or runs the agent, Kadu always asks you.",
    ),
    "take_back_any_time": L(
        "Você pode retirar este acesso quando quiser, na sua conta.",
        "You can take this access back at any time, in your account.",
    ),
    "allow": L("Permitir", "Allow"),
    "deny": L("Recusar", "Refuse"),
    "nothing_chosen": L("Escolha ao menos uma permissão, ou recuse.", "Choose at least one permission, or refuse."),
    "no_company": L(
        "Sua conta não pertence a nenhuma empresa ativa. Peça um convite a quem administra o Kadu.",
        "Your account belongs to no active company. Ask whoever runs Kadu for an invitation.",
    ),
    "unfit_title": L("Este pedido não pode ser atendido", "This request cannot be answered"),
    "unfit_lead": L(
        "O programa que trouxe você aqui fez um pedido que não entendemos ou não aceitamos. "
        "Nada foi permitido. Volte a ele e tente de novo; se continuar, mostre isto a quem o fez:",
        "The program that brought you here asked for something that we do not understand or accept. "
        "Nothing was allowed. Go back to it and try again; if it goes on, show this to its makers:",
    ),
    "expired_title": L("Esta página expirou", "This page has expired"),
    "expired_lead": L(
        "Nada foi permitido. Volte ao programa e comece de novo.",
        "Nothing was allowed. Go back to the program and start again.",
    ),
    "account_title": L("Sua conta", "Your account"),
    "connections": L("Programas com acesso", "Programs with access"),
    "no_connections": L("Nenhum programa age por você.", "No program acts for you."),
    "since": L("desde", "since"),
    "last_used": L("último uso", "last used"),
    "never_used": L("nunca usado", "never used"),
    "until": L("até", "until"),
    "what_it_may": L("O que pode", "What it may do"),
    "kind_client": L("programa", "program"),
    "kind_personal": L("token pessoal", "personal token"),
    "take_back": L("Retirar acesso", "Take access back"),
    "sessions": L("Navegadores em que você entrou", "Browsers in which you are signed in"),
    "this_browser": L("este navegador", "this browser"),
    "sign_out": L("Sair", "Sign out"),
    "took_back": L(
        "Acesso retirado. O programa deixa de funcionar em segundos.",
        "Access taken back. The program stops working within seconds.",
    ),
    "signed_out_there": L("Sessão encerrada.", "Session ended."),
    "signed_out": L("Você saiu.", "You are signed out."),
}

SCOPE_WORDS: dict[str, Localized] = {
    "kadu.organization.read": L("ver a empresa, o plano e o seu perfil", "see the company, the plan and your profile"),
    "kadu.members.read": L("ver quem participa", "see who takes part"),
    "kadu.tasks.read": L("ver as tarefas", "see the tasks"),
    "kadu.task_permissions.read": L("ver quem pode disparar cada tarefa", "see who may trigger each task"),
    "kadu.schedules.read": L("ver os agendamentos", "see the schedules"),
    "kadu.executions.read": L("ver execuções e resultados", "see executions and results"),
    "kadu.files.read": L("ver e baixar arquivos", "see and download files"),
    "kadu.webhooks.read": L("ver os webhooks", "see the webhooks"),
    "kadu.webhook_deliveries.read": L("ver as entregas de webhooks", "see the deliveries of webhooks"),
    "kadu.usage.read": L("ver uso e custo", "see usage and cost"),
    "kadu.approvals.read": L("ver o que espera a sua confirmação", "see what waits for your confirmation"),
    "kadu.tasks.run": L("rodar tarefas, o que pode ter custo", "run tasks, which may cost money"),
    "kadu.executions.cancel": L("cancelar execuções", "cancel executions"),
    "kadu.files.write": L("enviar e apagar arquivos", "upload and delete files"),
    "kadu.tasks.write": L("criar, mudar e apagar tarefas", "create, change and delete tasks"),
    "kadu.task_permissions.write": L("mudar quem pode disparar tarefas", "change who may trigger tasks"),
    "kadu.schedules.write": L("criar, mudar e apagar agendamentos", "create, change and delete schedules"),
    "kadu.webhooks.write": L("mudar para onde os dados vão", "change where data goes"),
    "kadu.webhook_deliveries.replay": L("reenviar entregas de webhooks", "send deliveries of webhooks again"),
    "kadu.audit.read": L("ver o registro de auditoria", "see the audit log"),
    "kadu.members.write": L("convidar, mudar e remover pessoas", "invite, change and remove people"),
    "kadu.cost_cap.write": L("mudar o teto de custo", "change the cost cap"),
}
