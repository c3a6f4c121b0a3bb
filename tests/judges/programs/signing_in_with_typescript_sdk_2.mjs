// Signs in from a URL alone. Prints one JSON line per authorization request and reads the answer to it from a line of
// its input; its last line tells what it could do: before, after a refresh, and with what a step-up added.
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const { url, redirectUrl, clientMetadataUrl } = JSON.parse(process.argv[2]);
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const print = (value) => console.log(JSON.stringify(value));

const saved = {};
let opened;
const authProvider = {
  redirectUrl,
  ...(clientMetadataUrl ? { clientMetadataUrl } : {}),
  clientMetadata: {
    client_name: 'typescript-sdk-2', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
  },
  state: () => 'the-state',
  clientInformation: () => saved.client, saveClientInformation: (value) => { saved.client = value; },
  tokens: () => saved.tokens, saveTokens: (value) => { saved.tokens = value; },
  codeVerifier: () => saved.verifier, saveCodeVerifier: (value) => { saved.verifier = value; },
  discoveryState: () => saved.discovery, saveDiscoveryState: (value) => { saved.discovery = value; },
  redirectToAuthorization: (target) => { opened = target; },
};

function make() {
  const client = new Client({ name: 'typescript-sdk-2', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  return { client, transport: new StreamableHTTPClientTransport(new URL(url), { authProvider }) };
}

// What `use` gives once it may: the person is asked as often as the client wants them asked.
async function asking(use) {
  for (;;) {
    const { client, transport } = make();
    try {
      await client.connect(transport);
      return await use(client);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      print({ authorize: String(opened) });
      const { value } = await answers.next();
      await transport.finishAuth(new URLSearchParams(JSON.parse(value)));
    } finally {
      await client.close();
    }
  }
}

const names = async (client) => (await client.listTools()).tools.map((tool) => tool.name);
const call = (name, args) => async (client) => (await client.callTool({ name, arguments: args })).isError === true;

const tools = await asking(names);
const clientId = saved.client.client_id;
const first = saved.tokens;
saved.tokens = { ...first, access_token: `${first.access_token}-ended` };
const toolsAfterRefresh = await asking(names);
const refreshed = saved.tokens.refresh_token !== first.refresh_token;
const runFailed = await asking(call('kadu_tasks_run', { id: 'nothing' }));
print({ clientId, tools, toolsAfterRefresh, refreshed, runFailed });
process.exit(0);
