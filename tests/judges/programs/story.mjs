// One walk through the server, told as JSON; both JavaScript SDKs name their methods alike.

const { url, token, mode, taskId, answer = 'accept' } = JSON.parse(process.argv[2]);
export const answered = { action: answer, ...(answer === 'accept' ? { content: { confirm: true } } : {}) };
export const told = { url: new URL(url), mode, headers: { Authorization: `Bearer ${token}` } };

const textOf = (result) => result.content.map((block) => block.text).join('');

async function pages(list, member) {
  const items = [];
  let cursor;
  do {
    const page = await list(cursor ? { cursor } : {});
    items.push(...page[member]);
    cursor = page.nextCursor;
  } while (cursor);
  return items;
}

export async function tell(client, version, questions) {
  const names = async (list, member, key) => (await pages((page) => client[list](page), member)).map((item) => item[key]);
  const unknown = await client.callTool({ name: 'kadu_no_such_tool', arguments: {} }).then(
    () => 'answered', (error) => error.code);
  const story = {
    version,
    server: client.getServerVersion().name,
    instructions: client.getInstructions(),
    tools: await names('listTools', 'tools', 'name'),
    resources: await names('listResources', 'resources', 'uri'),
    templates: await names('listResourceTemplates', 'resourceTemplates', 'uriTemplate'),
    prompts: await names('listPrompts', 'prompts', 'name'),
    organization: textOf(await client.callTool({ name: 'kadu_organization_get', arguments: {} })),
    document: (await client.readResource({ uri: 'kobana://kadu/organization' })).contents[0].text,
    prompt: (await client.getPrompt({ name: 'kadu_run_task', arguments: { task: 'resumo-de-extrato' } })).messages[0].content.text,
    completed: (await client.complete({
      ref: { type: 'ref/prompt', name: 'kadu_run_task' }, argument: { name: 'task', value: 'resumo' },
    })).completion.values,
    unknown_tool: unknown,
  };
  const told = await client.callTool({ name: 'kadu_tasks_delete', arguments: { id: taskId } });
  const ended = told.isError ? 'refused' : textOf(told).includes('approval_url') ? 'waits at a link' : 'done';
  console.log(JSON.stringify({ ...story, questions, ended }));
  await client.close();
}
