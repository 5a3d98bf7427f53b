/** A server with a test-controlled identity provider, a project with sign-in, and the steps of the flow. */
import { expect } from 'vitest';
import {
  type IssuerKey,
  type LoopbackIssuer,
  newIssuerKey,
  signIdToken,
  startLoopbackIssuer,
} from '../../tooling/loopback-issuer.ts';
import type { Answer } from '../support/client.ts';
import { type Project, startServer, type TestServer, type TestServerOptions } from '../support/server.ts';

export const audience = 'holdfast-test';
/** A verifier and its challenge. @see RFC 7636 appendix B */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const appUri = 'https://app.example/signed-in?tab=1';
export const developerUri = 'http://127.0.0.1:8976/callback';
export const loginUri = 'com.example.game:/signed-in';

export type Form = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** A project with player sign-in. */
export interface SignInProject extends Project {
  readonly clientId: string;
  readonly tenantId: string;
}

export interface TokenSet {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

export interface World {
  readonly server: TestServer;
  readonly provider: LoopbackIssuer;
  readonly providerKey: IssuerKey;
  readonly project: SignInProject;
  /** Milliseconds since the epoch, as the server sees them. */
  now(): number;
  /** Moves the clock of the server. */
  pass(milliseconds: number): void;
  newSignInProject(settings?: Readonly<Record<string, unknown>>): Promise<SignInProject>;
  /** An ID token of a player of the project; `claims` override the defaults. */
  idToken(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The login page's form for a player of the project. */
  callbackForm(changes?: Readonly<Record<string, string | undefined>>): Promise<Record<string, string>>;
  postForm(path: string, form: Form): Promise<Answer>;
  /** Posts the callback form. */
  complete(form: Form): Promise<Answer>;
  /** Signs in and returns the code of the redirect. */
  newCode(changes?: Readonly<Record<string, string | undefined>>): Promise<string>;
  /** Posts to the token endpoint. */
  token(form: Form): Promise<Answer>;
  redeem(code: string, changes?: Readonly<Record<string, string | undefined>>): Promise<Answer>;
  /** With an `Idempotency-Key` if one is given. */
  refresh(refreshToken: string, changes?: Readonly<Record<string, string | undefined>>, key?: string): Promise<Answer>;
  /** Signs in and redeems the code. */
  newTokens(changes?: Readonly<Record<string, string | undefined>>): Promise<TokenSet>;
  logOut(refreshToken: string): Promise<Answer>;
  /** Stops the server and starts another at the same place, which must have been passed in. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const settings = {
  enabled: true,
  redirectUris: [appUri, loginUri],
  allowedIdps: ['password', 'google.com'],
  logoData: null,
  logoMediaType: null,
  primaryColor: '#3b5bdb',
  surfaceColor: null,
  bgColor: '#ffffff',
};

/** Starts provider and server. */
export async function openWorld(options: TestServerOptions = {}): Promise<World> {
  const providerKey = await newIssuerKey('ES256', 'provider-key');
  const provider = await startLoopbackIssuer([providerKey.publicJwk]);
  let passed = 0;
  const now = () => Date.now() + passed;
  const start = () =>
    startServer({
      now,
      ...options,
      settings: {
        SVC_IDP_ISSUER: provider.issuer,
        SVC_IDP_AUDIENCE: audience,
        SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0',
        ...options.settings,
      },
    });
  const server = await start();

  async function newSignInProject(changes: Readonly<Record<string, unknown>> = {}): Promise<SignInProject> {
    const project = await server.newProject();
    const { bearer: headers, accountId } = project.developer;
    const body = { ...settings, ...changes };
    const answer = await server.call('PUT', `${project.path}/auth/end-user/config`, { headers, body });
    expect(answer.status, answer.text).toBe(200);
    const account = await server.call('GET', `/v1/${accountId}`, { headers });
    const { idpTenantId } = account.json as { readonly idpTenantId: string };
    return { ...project, clientId: `${accountId}.${project.slug}`, tenantId: idpTenantId };
  }

  const project = await newSignInProject();
  return {
    server,
    provider,
    providerKey,
    project,
    now,
    pass: (milliseconds) => {
      passed += milliseconds;
    },
    newSignInProject,
    ...steps(server, provider, providerKey, project, now),
    async restart() {
      await server.stop();
      Object.assign(server, await start());
    },
    async stop() {
      await server.stop();
      await provider.stop();
    },
  };
}

/** The steps of the flow, with correct values by default and changes for wrong ones; undefined omits a field. */
function steps(server: TestServer, provider: LoopbackIssuer, key: IssuerKey, project: SignInProject, now: () => number) {
  const idToken = (claims: Readonly<Record<string, unknown>> = {}) => {
    const iat = Math.floor(now() / 1000);
    const firebase = { tenant: project.tenantId, sign_in_provider: 'password' };
    return signIdToken(key, {
      iss: provider.issuer,
      aud: audience,
      sub: 'player-1',
      iat,
      exp: iat + 3600,
      firebase,
      ...claims,
    });
  };
  const callbackForm = async (changes: Readonly<Record<string, string | undefined>> = {}) =>
    defined({
      client_id: project.clientId,
      redirect_uri: appUri,
      state: 'state of the app',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: 'env:production',
      ...changes,
      ...(!('idp_id_token' in changes) && { idp_id_token: await idToken() }),
    });
  const postForm = (path: string, form: Form, headers: Readonly<Record<string, string>> = {}) =>
    server.call('POST', path, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form as Record<string, string>).toString(),
    });
  const complete = (form: Form) => postForm('/v1/auth/authorize/callback', form);
  const token = (form: Form) => postForm('/v1/auth/token', form);
  const newCode = async (changes: Readonly<Record<string, string | undefined>> = {}) => {
    const { code, error_description } = returned(await complete(await callbackForm(changes)));
    if (code === undefined) throw new Error(`there is no code: ${error_description}`);
    return code;
  };
  const redeem = (code: string, changes: Readonly<Record<string, string | undefined>> = {}) =>
    token(
      defined({
        grant_type: 'authorization_code',
        client_id: project.clientId,
        code,
        code_verifier: verifier,
        redirect_uri: appUri,
        ...changes,
      }),
    );
  const refresh = (refreshToken: string, changes: Readonly<Record<string, string | undefined>> = {}, key?: string) =>
    postForm(
      '/v1/auth/token',
      defined({
        grant_type: 'refresh_token',
        client_id: project.clientId,
        refresh_token: refreshToken,
        ...changes,
      }),
      key === undefined ? {} : { 'Idempotency-Key': key },
    );
  const newTokens = async (changes: Readonly<Record<string, string | undefined>> = {}) =>
    tokensOf(await redeem(await newCode(changes), { client_id: changes.client_id ?? project.clientId }));
  const logOut = (refreshToken: string) => server.call('POST', '/v1/auth/logout', { body: { refreshToken } });
  return { idToken, callbackForm, postForm, complete, newCode, token, redeem, refresh, newTokens, logOut };
}

function defined(form: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined));
}

/** The tokens of an answer; fails if it is an error. */
export function tokensOf(answer: Answer): TokenSet {
  expect(answer.status, answer.text).toBe(200);
  return answer.json as TokenSet;
}

/** Expects an error of the token endpoint. */
export function expectTokenError(answer: Answer, status: number, error: string): void {
  expect({ status: answer.status, error: (answer.json as { readonly error: string }).error }).toEqual({ status, error });
  expect(answer.headers['cache-control']).toBe('no-store');
}

/** The parameters of a redirect back to the client; fails for any other answer. */
export function returned(
  answer: Answer,
): Partial<Record<'code' | 'state' | 'iss' | 'error' | 'error_description', string>> {
  expect(answer.status, answer.text).toBe(303);
  return Object.fromEntries(new URL(answer.headers.location as string).searchParams);
}
