// An OpenID Connect issuer that we did not write, as a company may have one. Anybody signs in with any password; who
// signs in as "ana" is known by the subject "id-of-ana" and the e-mail ana@example.com, which is verified unless the
// name begins with "unverified".
import { randomUUID } from 'node:crypto';
import { Provider } from 'oidc-provider';

const { issuer, resource, pages } = JSON.parse(process.argv[2]);
const RESOURCE_SCOPES = ['kadu.read', 'kadu.tasks.run', 'kadu.manage'];
// Clients name the scopes of the resource when they register, so the issuer must know them as its own.
const SCOPES = ['openid', 'email', 'profile', 'offline_access', ...RESOURCE_SCOPES];

const mailOf = (id) => ({ email: `${id}@example.com`, email_verified: !id.startsWith('unverified') });
const provider = new Provider(issuer, {
  clients: [{
    client_id: pages.clientId, client_secret: pages.clientSecret, redirect_uris: [pages.redirectUri],
    application_type: 'native', token_endpoint_auth_method: 'client_secret_basic',
  }],
  scopes: SCOPES,
  claims: { email: ['email', 'email_verified'], profile: ['name'] },
  // Otherwise the claims of these scopes are at the userinfo endpoint only.
  conformIdTokenClaims: false,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, name: id, ...mailOf(id) }) }),
  extraTokenClaims: (_, token) => mailOf(token.accountId),
  clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
  issueRefreshToken: () => true,
  features: {
    // Short ids, since whatever looks like a secret in a log is taken for one.
    registration: { enabled: true, idFactory: () => randomUUID() },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, asked) => {
        if (asked.replace(/\/$/, '') !== resource) throw new Error('no such resource');
        return { scope: RESOURCE_SCOPES.join(' '), audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: 900 };
      },
    },
  },
});
provider.listen(Number(new URL(issuer).port), '127.0.0.1');
