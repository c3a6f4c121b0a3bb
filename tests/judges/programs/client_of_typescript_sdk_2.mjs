import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answered, tell, told } from './story.mjs';

const questions = [];
const client = new Client(
  { name: 'typescript-sdk-2', version: '1.0.0' },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: told.mode } },
);
client.setRequestHandler('elicitation/create', async (request) => {
  questions.push(request.params.message);
  return answered;
});
await client.connect(new StreamableHTTPClientTransport(told.url, { requestInit: { headers: told.headers } }));
await tell(client, client.getNegotiatedProtocolVersion?.() ?? client.getProtocolVersion(), questions);
