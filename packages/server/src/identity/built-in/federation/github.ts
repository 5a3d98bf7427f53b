/** Sign-in with GitHub: OAuth 2.0, and its API for the user. @see https://docs.github.com/en/apps/oauth-apps */
import type { Configuration } from 'openid-client';
import { type Connection, configure, type NetworkAccess } from '../../upstream-client.ts';
import { readEmail, readName, type UpstreamProfile } from './upstream-profile.ts';

const server = {
  issuer: 'https://github.com/login/oauth',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
};
const api = 'https://api.github.com';
/** Requests the list of addresses, since the public address of a profile is not verified. */
export const gitHubScope = 'user:email';

/** Returns the connection to GitHub. */
export function connectGitHub(clientId: string, secret: string, network: NetworkAccess): Promise<Connection> {
  return configure(server, { clientId, secret }, network);
}

/** Returns the user of an access token, identified by number: users change their names, and others can take the old ones. */
export async function readGitHubProfile(configuration: Configuration, accessToken: string): Promise<UpstreamProfile> {
  const [user, emails] = await Promise.all(
    ['/user', '/user/emails'].map((path) => readApi(configuration, accessToken, path)),
  );
  const { id, name, login } = (user ?? {}) as { readonly id?: unknown; readonly name?: unknown; readonly login?: unknown };
  if (!Number.isSafeInteger(id)) throw new Error('the answer of GitHub contains no user id');
  const email = primaryEmail(emails);
  return {
    issuer: server.issuer,
    subject: String(id),
    email,
    emailVerified: email !== null,
    name: readName(name) ?? readName(login),
  };
}

async function readApi(configuration: Configuration, accessToken: string, path: string): Promise<unknown> {
  const { fetchProtectedResource } = await import('openid-client');
  const headers = new Headers({ Accept: 'application/vnd.github+json', 'X-GitHub-Api-Version': '2022-11-28' });
  const response = await fetchProtectedResource(configuration, accessToken, new URL(api + path), 'GET', null, headers);
  if (response.status !== 200) throw new Error(`GitHub answered ${path} with status ${response.status}`);
  return response.json();
}

/** The address that is both primary and verified, or null. */
function primaryEmail(emails: unknown): string | null {
  if (!Array.isArray(emails)) return null;
  const isPrimary = (one: { primary?: unknown; verified?: unknown } | null) =>
    one?.primary === true && one.verified === true;
  return readEmail(emails.find(isPrimary)?.email);
}
