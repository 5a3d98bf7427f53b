/**
 * An app that signs a person in: authorization code with PKCE, refresh and logout, with nothing but what Node 20 brings.
 * `node main.mjs` signs a developer in, `node main.mjs --player` a player of the demo project.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const holdfast = process.env.HOLDFAST_URL ?? 'http://127.0.0.1:8787';
const port = Number(process.env.PORT ?? 8976);
const home = `http://127.0.0.1:${port}`;
const redirectUri = `${home}/callback`;
const isPlayer = process.argv.includes('--player');

/** Who this app is to the service, and what it asks for. */
const client = isPlayer ? await playerClient() : { client_id: 'svc-developer' };
const random = () => randomBytes(32).toString('base64url');

/** The one sign-in under way, and the tokens of the one person at this app; a real app keeps them for each session. */
let pending;
let tokens;

const routes = {
  'GET /': () => page(tokens === undefined ? signedOut : signedIn()),
  'GET /sign-in': () => {
    pending = { state: random(), verifier: random() };
    const query = new URLSearchParams({
      response_type: 'code',
      ...client,
      redirect_uri: redirectUri,
      state: pending.state,
      code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return redirect(`${holdfast}/authorize?${query}`);
  },
  'GET /callback': async ({ searchParams }) => {
    const { state, verifier } = pending ?? {};
    pending = undefined;
    if (!isSame(searchParams.get('state'), state))
      return page('<p>This is not the answer to a question of this app.</p>', 400);
    if (searchParams.has('error')) return page(`<p>${escaped(searchParams.get('error_description'))}</p>${signedOut}`, 400);
    tokens = await exchange({
      grant_type: 'authorization_code',
      code: searchParams.get('code'),
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
    return redirect('/');
  },
  'POST /refresh': async () => {
    const { access_token, refresh_token } = tokens;
    // Only a player's name and email travel on by the token before.
    const previous = isPlayer ? { previous_access_token: access_token } : {};
    tokens = await exchange({ grant_type: 'refresh_token', refresh_token, ...previous });
    return redirect('/');
  },
  'POST /log-out': async () => {
    const body = JSON.stringify({ refreshToken: tokens.refresh_token });
    await fetch(`${holdfast}/v1/auth/logout`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    tokens = undefined;
    return redirect('/');
  },
};

async function exchange(form) {
  const body = new URLSearchParams({ client_id: client.client_id, ...form });
  const answer = await fetch(`${holdfast}/v1/auth/token`, { method: 'POST', body });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error_description);
  return json;
}

/** Switches sign-in on for the demo project, with this app among those that may ask for it. */
async function playerClient() {
  const { HOLDFAST_ACCOUNT_ID: accountId, HOLDFAST_PROJECT: slug, HOLDFAST_DEVELOPER_TOKEN: token } = process.env;
  if (!accountId || !slug || !token) throw new Error('the demo project is not known: `. data/dev.env` first');
  const url = `${holdfast}/v1/${accountId}/projects/${slug}/auth/end-user/config`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const settings = await (await fetch(url, { headers })).json();
  const body = JSON.stringify({
    ...settings,
    enabled: true,
    redirectUris: [...new Set([...settings.redirectUris, redirectUri])],
    allowedIdps: [...new Set([...settings.allowedIdps, 'password'])],
  });
  const answer = await fetch(url, { method: 'PUT', headers, body });
  if (!answer.ok) throw new Error(`sign-in could not be switched on: ${await answer.text()}`);
  return { client_id: `${accountId}.${slug}`, scope: 'env:development' };
}

const who = isPlayer ? 'a player' : 'a developer';
const signedOut = `<p>Nobody is signed in.</p><p><a href="/sign-in">Sign in as ${who}</a></p>`;
const claimsOf = (jwt) => JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString());

function signedIn() {
  const { access_token, refresh_token, ...rest } = tokens;
  const shown = { ...rest, refresh_token: `${refresh_token.slice(0, 10)}…`, access_token: claimsOf(access_token) };
  const button = (path, label) => `<form method="post" action="${path}"><button>${label}</button></form>`;
  return `<p>Signed in as ${who}.</p><pre>${escaped(JSON.stringify(shown, null, 2))}</pre>${button('/refresh', 'Refresh')}${button('/log-out', 'Log out')}`;
}

function isSame(one, other) {
  const [a, b] = [Buffer.from(one ?? ''), Buffer.from(other ?? '')];
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}

const escaped = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const redirect = (location) => ({ status: 303, headers: { Location: location }, body: '' });
const page = (content, status = 200) => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  body: `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign-in example</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui;max-width:44rem;margin:10vh auto;padding:0 1rem}pre{overflow:auto;padding:1rem;border:1px solid}form{display:inline-block;margin-right:1rem}</style><h1>Sign-in example</h1>${content}`,
});

createServer(async (request, response) => {
  const url = new URL(request.url, home);
  const site = request.headers['sec-fetch-site'];
  const isForged = request.method === 'POST' && (tokens === undefined || (site !== undefined && site !== 'same-origin'));
  const route = isForged ? undefined : routes[`${request.method} ${url.pathname}`];
  let answer;
  try {
    answer = route ? await route(url) : page('<p>There is nothing here. <a href="/">Back</a></p>', 404);
  } catch (fault) {
    tokens = undefined;
    answer = page(`<p>${escaped(fault.message)}</p>${signedOut}`, 502);
  }
  response.writeHead(answer.status, answer.headers).end(answer.body);
}).listen(port, '127.0.0.1', () => console.log(`Open ${home}`));
