/** A user of the login pages: keeps cookies, sends the pages' forms, and has its own address. */
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ApiAnswer, createApi, expectStatus } from '../../tooling/api.ts';
import { fillIn } from '../../tooling/forms.ts';
import { mailTo } from '../../tooling/outbox.ts';
import type { Target } from './case.ts';

/** Redirect URI of the attacker's app. Nothing listens there, since nobody needs to open it. */
const appUri = 'http://127.0.0.1:8976/callback';
const verifier = randomBytes(32).toString('base64url');
const challenge = hash('sha256', verifier, 'base64url');
export const password = 'a lantern in the siege';

/** The parameters with which the attacker's app, or the developers' own, sends a browser to sign in. */
export function authorizeQuery({ accountId, slug }: Target, isDeveloper = false): Readonly<Record<string, string>> {
  return {
    response_type: 'code',
    client_id: isDeveloper ? 'svc-developer' : `${accountId}.${slug}`,
    redirect_uri: appUri,
    state: 'state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(!isDeveloper && { scope: 'env:development' }),
  };
}

/** Allows sign-in of players to the project for the app, by password unless changed. */
export async function allowSignIn(target: Target, changes: Readonly<Record<string, unknown>> = {}): Promise<ApiAnswer> {
  const api = createApi(target.baseUrl, `Bearer ${target.developerToken}`);
  const settings = {
    enabled: true,
    redirectUris: [appUri],
    allowedIdps: ['password'],
    logoData: null,
    logoMediaType: null,
    primaryColor: null,
    surfaceColor: null,
    bgColor: null,
    ...changes,
  };
  const path = `/v1/${target.accountId}/projects/${target.slug}/auth/end-user/config`;
  const answer = await api.send('PUT', path, { body: JSON.stringify(settings) });
  api.close();
  return answer;
}

export interface Page {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Page>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Page>;
  /** Sends the page's form whose action is `path`. */
  send(page: Page, path: string, fields: Readonly<Record<string, string>>): Promise<Page>;
}

export function openBrowser(target: Target, address = target.nextAddress()): Browser {
  const cookies = new Map<string, string>();
  const exchange = async (method: string, url: string, body?: string): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      ...(cookie !== '' && { Cookie: cookie }),
      ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length }),
    };
    const { pathname, search } = new URL(url, target.baseUrl);
    const { hostname, port } = target;
    const asked = request({
      agent: false,
      hostname,
      port,
      localAddress: address,
      method,
      path: pathname + search,
      headers,
    });
    asked.end(body);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const { statusCode = 0, headers: answered } = response;
    return { status: statusCode, text: await text(response), location: answered.location };
  };
  const browser: Browser = {
    cookies,
    get: (path) => exchange('GET', path),
    post: (path, fields) => exchange('POST', path, String(new URLSearchParams(fields))),
    send(page, path, fields) {
      const { action, held } = fillIn(page.text, path);
      return browser.post(action, { ...held, ...fields });
    },
  };
  return browser;
}

export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Creates a player of the attacker's project with forms and mail. The project must allow it. */
export async function signUp(target: Target, email: string, browser = openBrowser(target)): Promise<SignedIn> {
  const page = await browser.get(`/authorize/sign-up?${new URLSearchParams(authorizeQuery(target))}`);
  const asked = await browser.send(page, '/authorize/sign-up', { email, password });
  if (asked.location === undefined) throw new Error(`the sign-up of ${email} was answered ${asked.status}`);
  const confirmation = await browser.get(asked.location);
  const { code = '' } = await mailTo(target.dataDir, email);
  const confirmed = await browser.send(confirmation, '/authorize/confirm', { code });
  const returned = await browser.send(confirmed, '/v1/auth/authorize/callback', {});
  const { searchParams } = new URL(returned.location ?? target.baseUrl);
  return readTokens(
    await browser.post('/v1/auth/token', {
      grant_type: 'authorization_code',
      client_id: `${target.accountId}.${target.slug}`,
      code: searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: appUri,
    }),
  );
}

/** Exchanges a refresh token for the next tokens. */
export async function refresh(target: Target, refreshToken: string): Promise<SignedIn> {
  const clientId = `${target.accountId}.${target.slug}`;
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
  return readTokens(await openBrowser(target).post('/v1/auth/token', form));
}

function readTokens(page: Page): SignedIn {
  expectStatus({ status: page.status, headers: {}, text: page.text }, 200);
  const tokens = JSON.parse(page.text) as { access_token: string; refresh_token: string };
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}
