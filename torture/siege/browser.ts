/** A user of the login pages: keeps cookies, sends the pages' forms, and has its own address. */

import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ApiAnswer, createApi, expectStatus } from '../../tooling/api.ts';
import { projectPath, signInSettings } from '../../tooling/credentials.ts';
import { createFormClient, type FormClient, type PageAnswer } from '../../tooling/forms.ts';
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
  const plain = { redirectUris: [appUri], allowedIdps: ['password'], primaryColor: null, bgColor: null };
  const body = signInSettings({ ...plain, ...changes });
  const answer = await api.send('PUT', `${projectPath(target)}/auth/end-user/config`, { body });
  api.close();
  return answer;
}

/** A user of the login pages with an address of its own. */
export const openBrowser = (target: Target, address = target.nextAddress()): FormClient =>
  createFormClient(target.baseUrl, target.baseUrl, fetchFrom(address));

/** Fetches from an address of this machine, each time on a connection of its own. */
const fetchFrom =
  (localAddress: string): typeof fetch =>
  async (url, { method = 'GET', headers, body } = {}) => {
    const form = body ? String(body) : undefined;
    const framing = form && { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': form.length };
    const all = { ...framing, ...(headers as Record<string, string>) };
    const asked = request(new URL(String(url)), { agent: false, localAddress, method, headers: all });
    asked.end(form);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const answered = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return new Response((await text(response)) || null, { status: response.statusCode ?? 0, headers: answered });
  };

export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Creates a player of the attacker's project with forms and mail. The project must allow it. */
export async function signUp(target: Target, email: string, browser = openBrowser(target)): Promise<SignedIn> {
  const page = await browser.get(`/authorize/sign-up?${new URLSearchParams(authorizeQuery(target))}`);
  const asked = await browser.send(page, '/authorize/sign-up', { email, password });
  if (asked.location === null) throw new Error(`the sign-up of ${email} was answered ${asked.status}`);
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

function readTokens(page: PageAnswer): SignedIn {
  expectStatus(page, 200);
  const tokens = JSON.parse(page.text) as { access_token: string; refresh_token: string };
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}
