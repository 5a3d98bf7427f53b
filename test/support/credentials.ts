/** Every kind of request credential, created for one project. */

import type { Environment } from '@holdfast/contract';
import { generateKeyPair, SignJWT } from 'jose';
import type { Project, TestServer } from './server.ts';

export type Credential =
  | 'none'
  | 'unknown scheme'
  | 'forged token'
  | 'expired token'
  | 'token of a deleted account'
  | 'developer'
  | 'other developer'
  | 'player'
  | 'player of another environment'
  | 'player of another project'
  | 'player of another account'
  | 'API key'
  | 'API key that reads'
  | 'API key of another environment'
  | 'API key of another project'
  | 'API key of another account'
  | 'publishable API key'
  | 'publishable API key of another project'
  | 'expired API key'
  | 'revoked API key'
  | 'mistyped API key';

/** The player whose state the tests access. */
export const playerId = 'player-1';

/** Outsiders to the tested account. Several projects can share them. */
export interface Strangers {
  readonly elsewhere: Project;
  readonly apiKey: string;
  /** `Authorization` header of a deleted account. */
  readonly gone: string;
}

/** Creates an account with a project, and an account that it deletes. */
export async function newStrangers(server: TestServer): Promise<Strangers> {
  const elsewhere = await server.newProject();
  const gone = await server.newDeveloper();
  await server.call('DELETE', `/v1/${gone.accountId}`, { headers: gone.bearer });
  const { apiKey } = await server.newApiKey(elsewhere);
  return { elsewhere, apiKey: `ApiKey ${apiKey}`, gone: gone.bearer.Authorization };
}

/**
 * Returns the `Authorization` header of every credential, relative to `project` and its environment `development`. `clock` is the
 * server's clock; it is advanced to make credentials expire.
 */
export async function everyCredential(
  server: TestServer,
  project: Project,
  clock: { now(): number; advance(milliseconds: number): void },
  strangers?: Strangers,
): Promise<Readonly<Record<Credential, string | undefined>>> {
  const { accessTokens } = server.running;
  const { developer, slug } = project;
  const { elsewhere, apiKey, gone } = strangers ?? (await newStrangers(server));
  const sibling = await server.newProject(developer);
  const player = async (of: Project, environment: Environment) =>
    `Bearer ${await accessTokens.signPlayerToken({
      accountId: of.developer.accountId,
      slug: of.slug,
      environment,
      userId: playerId,
      signedInAt: Date.now(),
      seconds: 900,
    })}`;
  const key = async (of: Project, options: Readonly<Record<string, unknown>> = {}) =>
    `ApiKey ${(await server.newApiKey(of, options)).apiKey}`;

  const expired = await accessTokens.signDeveloperToken({
    accountId: developer.accountId,
    subject: 'x',
    actsAs: 'operator',
    seconds: 1,
  });
  const expiring = await key(project, { expiresAt: new Date(clock.now() + 1_000).toISOString() });
  clock.advance(2_000);
  const revoked = await server.newApiKey(project);
  await server.call('DELETE', `${project.path}/api-keys/${revoked.id}`, { headers: developer.bearer });
  const valid = await key(project);

  return {
    none: undefined,
    'unknown scheme': 'Basic dXNlcjpwYXNz',
    'forged token': `Bearer ${await forge(server.baseUrl, developer.accountId)}`,
    'expired token': `Bearer ${expired}`,
    'token of a deleted account': gone,
    developer: developer.bearer.Authorization,
    'other developer': elsewhere.developer.bearer.Authorization,
    player: await player(project, 'development'),
    'player of another environment': await player(project, 'staging'),
    'player of another project': await player(sibling, 'development'),
    'player of another account': await player({ ...elsewhere, slug }, 'development'),
    'API key': valid,
    'API key that reads': await key(project, { access: 'read' }),
    'API key of another environment': await key(project, { environments: ['staging'] }),
    'API key of another project': await key(sibling),
    'API key of another account': apiKey,
    'publishable API key': await key(project, { kind: 'publishable' }),
    'publishable API key of another project': await key(sibling, { kind: 'publishable' }),
    'expired API key': expiring,
    'revoked API key': `ApiKey ${revoked.apiKey}`,
    'mistyped API key': `${valid.slice(0, -1)}${valid.endsWith('a') ? 'b' : 'a'}`,
  };
}

/** Returns a token with valid claims, signed with an unknown key. */
async function forge(issuer: string, accountId: string): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT({ svc_role: 'developer', svc_account_id: accountId, client_id: 'svc-developer' })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'forged' })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject('operator')
    .setIssuedAt()
    .setJti('forged')
    .setExpirationTime('15m')
    .sign(privateKey);
}
