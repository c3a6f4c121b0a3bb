import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { answered, tell, told } from './story.mjs';

const questions = [];
const client = new Client({ name: 'typescript-sdk-1', version: '1.0.0' }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async (request) => {
  questions.push(request.params.message);
  return answered;
});
const transport = new StreamableHTTPClientTransport(told.url, { requestInit: { headers: told.headers } });
await client.connect(transport);
await client.ping();
await tell(client, transport.protocolVersion, questions);
