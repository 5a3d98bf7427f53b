/** The login pages over HTTP: their headers, their refusals, and a page for every answer. */
import { operationOf, undeclared } from '@holdfast/contract/conformance';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { createFormClient, type PageAnswer, signUpByForms, unescaped } from '../../tooling/forms.ts';
import { shortAnswerTimeout } from '../support/server.ts';
import { titleOf } from './account-world.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

let world: LoginWorld;
let client: LoginClient;
beforeAll(async () => {
  world = await openLoginWorld();
  client = await world.newClient();
});
afterAll(() => world.stop());

const newForm = () => createFormClient(world.baseUrl);
const password = 'correct horse battery';

/** Expects a page with this status and all security headers, as its operation declares it. */
function expectPage(answer: PageAnswer, status: number, [method, path]: readonly [string, string]): void {
  expect(answer.status, answer.text).toBe(status);
  const headers = Object.fromEntries(answer.headers);
  expect(undeclared(operationOf(method, path), status, headers, answer.text, method)).toBeUndefined();
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  const policy = headers['content-security-policy'] ?? '';
  const nonce = /script-src 'nonce-([A-Za-z0-9_-]{22})'/.exec(policy)?.[1];
  expect(nonce).toBeDefined();
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).toContain(`style-src 'nonce-${nonce}'; font-src 'self'; img-src data:; form-action 'self'`);
  expect(policy).toContain("base-uri 'none'; frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https:(?!\/)/);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(answer.text.match(/<(?:script|style)(?! nonce)/g)).toBeNull();
}

describe('the language of a page', () => {
  it('is chosen on it, and stays for this browser, whatever the client and the browser ask for', async () => {
    const form = newForm();
    const english = await form.get(world.authorizeUrl(client, { ui_locales: 'en' }));
    expect(english.text).toContain('<html lang="en">');
    const [, link = ''] = /<a lang="de" hreflang="de" href="([^"]+)">Deutsch<\/a>/.exec(english.text) ?? [];
    const german = await form.get(`/authorize${unescaped(link)}`);
    expect(german.text).toContain('<html lang="de">');
    expect(german.headers.getSetCookie().join()).toMatch(/holdfast_language=de; .*Max-Age=31536000/);
    for (const path of ['/authorize', '/authorize/sign-up', '/authorize/federated/callback']) {
      expect((await form.get(world.authorizeUrl(client, { ui_locales: 'en' }, path))).text, path).toContain('lang="de"');
    }
    const signUp = await form.get(world.authorizeUrl(client, {}, '/authorize/sign-up'));
    const [, back = ''] = /<a lang="en" hreflang="en" href="([^"]+)">English<\/a>/.exec(signUp.text) ?? [];
    expect((await form.get(`/authorize/sign-up${unescaped(back)}`)).text).toContain('<html lang="en">');
    expect((await form.get(world.authorizeUrl(client), { 'Accept-Language': 'de' })).text).toContain('<html lang="en">');
    const unknown = await newForm().get(world.authorizeUrl(client, { language: 'fr' }), { 'Accept-Language': 'de' });
    expect(unknown.text).toContain('<html lang="de">');
    expect(unknown.headers.getSetCookie().join()).not.toContain('holdfast_language');
  });
});

describe('every page', () => {
  it.each([
    ['/authorize', 200],
    ['/authorize/sign-up', 200],
    ['/authorize/forgot', 200],
    ['/authorize/reset', 410],
    ['/authorize/federated/callback/acc_4Zt9QmX2vKc7RbY1nLs8Wd/google.com', 410],
    ['/authorize/federated/callback', 404],
    ['/authorize/with/google.com', 403],
    ['/authorize/with/%ff', 403],
  ] as const)('%s is never stored, framed or extended', async (path, status) => {
    const origin = { Origin: 'https://elsewhere.example' };
    expectPage(await newForm().get(world.authorizeUrl(client, {}, path), origin), status, ['GET', path]);
  });

  it('has fonts that the service serves for ever', async () => {
    const page = await newForm().get(world.authorizeUrl(client));
    const fonts = [...page.text.matchAll(/url\("([^"]+)"\)/g)].map(([, path = '']) => path);
    expect(fonts).toHaveLength(4);
    for (const path of fonts) {
      const { status, headers } = await fetch(new URL(path, world.baseUrl));
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'font/woff2']);
      expect(headers.get('cache-control')).toContain('immutable');
    }
  });

  it('lets its forms lead only to the waiting app', async () => {
    const own = await world.newClient({
      redirectUris: ['com.example.game:/in', 'http://[::1]:5/in', 'https://a.example/in'],
    });
    const targetOf = async (redirect_uri: string) => {
      const { headers } = await newForm().get(world.authorizeUrl(own, { redirect_uri }));
      return /form-action ([^;]*);/.exec(headers.get('content-security-policy') ?? '')?.[1];
    };
    expect(await targetOf('https://a.example/in')).toBe("'self' https://a.example");
    expect(await targetOf('com.example.game:/in')).toBe("'self' com.example.game:");
    expect(await targetOf('http://[::1]:5/in')).toBe("'self' http:"); // a host that no policy can name
  });

  it('keeps its policy intact if the host of a stored redirect URI would break it', async () => {
    const redirect_uri = 'https://a.example;sandbox/in';
    const own = await world.newClient();
    const [, slug = ''] = own.clientId.split('.');
    const key = { accountId: own.developer.accountId, slug };
    const { store } = world.server.running;
    const settings = { ...JSON.parse((await store.readPlayerAuth(key)) ?? ''), redirectUris: [redirect_uri] };
    await store.writePlayerAuth(byOperator, key, JSON.stringify(settings));
    const page = await newForm().get(world.authorizeUrl(own, { redirect_uri }));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https:; base-uri 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('sandbox');
  });

  it('never repeats a nonce', async () => {
    const nonces = await Promise.all(
      [1, 2, 3].map(async () => (await newForm().get(world.authorizeUrl(client))).headers.get('content-security-policy')),
    );
    expect(new Set(nonces).size).toBe(3);
  });

  it('answers HEAD like GET, other methods with 405, and a preflight without access for other sites', async () => {
    const [url, headers] = [
      world.authorizeUrl(client).replace('localhost', '127.0.0.1'),
      { Origin: 'https://elsewhere.example' },
    ];
    const head = await fetch(url, { method: 'HEAD', headers });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const put = await fetch(url, { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const preflight = { ...headers, 'Access-Control-Request-Method': 'POST' };
    const options = await fetch(url.replace('/authorize?', '/authorize/sign-in?'), {
      method: 'OPTIONS',
      headers: preflight,
    });
    expect([...options.headers.keys()].filter((name) => name.startsWith('access-control-allow'))).toEqual([]);
  });

  it('is not part of the described interface', async () => {
    const { text } = await newForm().get('/openapi.json');
    expect(text).toContain('/v1/auth/authorize/callback');
    expect(text).not.toMatch(/"\/authorize/);
  });

  it('escapes parameters from the client', async () => {
    const hostile = `"><script>alert(1)</script>`;
    const answer = await newForm().get(world.authorizeUrl(client, { state: hostile, login_hint: hostile, x: hostile }));
    expect(answer.text).not.toContain('<script>alert');
    expect(unescaped(answer.text)).toContain(`value="${hostile}`);
  });
});

describe('an authorization request', () => {
  it.each([
    ['of an unknown client', { client_id: 'acc_nobody.game' }],
    ['to an unregistered address', { redirect_uri: 'https://elsewhere.example/' }],
  ])('%s shows a page without a redirect', async (_, changes) => {
    const answer = await newForm().get(world.authorizeUrl(client, changes));
    expectPage(answer, 400, ['GET', '/authorize']);
    expect(answer.text).not.toContain('elsewhere.example');
  });

  it.each([
    ['without a challenge', { code_challenge: '' }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for another environment', { scope: 'env:Production' }, 'invalid_scope'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s returns to the client with %s', async (_, changes, error) => {
    const answer = await newForm().get(world.authorizeUrl(client, changes));
    expect(answer.status).toBe(303);
    const { searchParams } = new URL(answer.location as string);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: 'state of the app', iss: world.baseUrl });
    expect(answer.location?.startsWith(world.appUri)).toBe(true);
  });
});

describe('a form', () => {
  const path = '/authorize/sign-in';
  const fields = { email: 'nobody@mail.example', password };

  it.each([
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['from a neighbouring host', { 'Sec-Fetch-Site': 'same-site' }],
    ['from another origin, by a browser that sends only Origin', { Origin: 'https://elsewhere.example' }],
  ])('%s is refused', async (_, headers) => {
    const form = newForm();
    const page = await form.get(world.authorizeUrl(client));
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const url = world.authorizeUrl(client, {}, path);
    expectPage(await form.post(url, { ...fields, csrf }, headers), 403, ['POST', path]);
    expectPage(await form.post(url, { ...fields, csrf }, { 'Sec-Fetch-Site': 'same-origin' }), 422, ['POST', path]);
  });

  it('is refused with a proof that is missing, invented or from another browser', async () => {
    const [form, other] = [newForm(), newForm()];
    await form.get(world.authorizeUrl(client));
    const foreign = /name="csrf" value="([^"]*)"/.exec((await other.get(world.authorizeUrl(client))).text)?.[1] ?? '';
    for (const csrf of [foreign, '', 'x'.repeat(43)]) {
      const answer = await form.post(world.authorizeUrl(client, {}, path), { ...fields, csrf });
      expectPage(answer, 403, ['POST', path]);
      expect(answer.text).toContain('Please try again');
    }
  });

  it('is refused in a browser with an empty cookie, which gets a new one', async () => {
    const form = newForm();
    form.cookies.set('holdfast_browser', '');
    const page = await form.get(world.authorizeUrl(client));
    expect(form.cookies.get('holdfast_browser')).toMatch(/^[0-9A-Za-z_-]{22,}$/);
    expect((await form.send(page, path, fields)).status).toBe(422);
    for (const name of form.cookies.keys()) form.cookies.set(name, '');
    const answer = await form.send(page, path, fields);
    expectPage(answer, 403, ['POST', path]);
    expect(answer.text).toContain('Cookies are needed');
  });

  it.each([
    ['too large', 413, 'application/x-www-form-urlencoded', `password=${'x'.repeat(66_000)}`],
    ['of another type', 415, 'application/json', '{}'],
    ['that is not text', 400, 'application/x-www-form-urlencoded', Buffer.from([0xff, 0xfe])],
  ])('%s is answered by a page', async (_, status, type, body) => {
    const url = world.authorizeUrl(client, {}, path).replace('localhost', '127.0.0.1');
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
    const { headers } = response;
    expectPage({ status: response.status, headers, text: await response.text(), location: null }, status, ['POST', path]);
  });

  it('of a sign-in leads to the callback, with the ID token in no address', async () => {
    const form = newForm();
    const page = await signUpByForms(world, form, 'ada@mail.example', password, client);
    expectPage(page, 200, ['POST', '/authorize/confirm']);
    const callback = await form.send(page, '/v1/auth/authorize/callback', {});
    expect(callback.status).toBe(303);
    expect(await world.redeem(callback.location as string, client)).toMatchObject({ email: 'ada@mail.example' });
    const idToken = /name="idp_id_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    expect(idToken.split('.')).toHaveLength(3);
    expect(callback.location).not.toContain(idToken.slice(0, 20));
    const cookies = [...form.cookies.keys()].map((name) => name.replace(/-[\w-]{16}$/, '-of one page'));
    expect(cookies.sort()).toEqual(['holdfast_browser', 'holdfast_browser-of one page', 'holdfast_device']);
  });

  it('for a mailed code has a title that names an error only after a wrong code', async () => {
    const form = newForm();
    const begun = await form.get(world.authorizeUrl(client, {}, '/authorize/sign-up'));
    const sent = await form.send(begun, '/authorize/sign-up', { email: 'eve@mail.example', password });
    const page = await form.get(sent.location ?? '');
    expect(titleOf(page)).toMatch(/^Check your mail/);
    expect(titleOf(await form.send(page, '/authorize/confirm', { code: '12' }))).toMatch(/^Error: Check your mail/);
  });

  it('for a method that the project does not allow is refused', async () => {
    const closed = await world.newClient({ allowedIdps: [] });
    const form = newForm();
    const page = await form.get(world.authorizeUrl(client));
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    for (const way of ['sign-in', 'sign-up', 'confirm', 'resend', 'forgot', 'passkey']) {
      const answer = await form.post(world.authorizeUrl(closed, {}, `/authorize/${way}`), { ...fields, csrf });
      expectPage(answer, 403, ['POST', `/authorize/${way}`]);
    }
  });

  it('of an Apple-like provider returns as a query, so that the browser sends its cookies', async () => {
    const form = newForm();
    const path = `/authorize/federated/callback/${client.developer.accountId}/apple.com`;
    const answer = await form.post(path, { code: 'a b', state: 'c&d' });
    expect([answer.status, answer.location]).toEqual([303, `${path}?code=a+b&state=c%26d`]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe('while storage cannot write', () => {
  it('a form is answered by a page with a retry time and a link back', async () => {
    const held = await openLoginWorld(shortAnswerTimeout);
    onTestFinished(() => held.stop());
    const client = await held.newClient();
    const form = createFormClient(held.baseUrl);
    const page = await form.get(held.authorizeUrl(client, {}, '/authorize/sign-up'));
    const letGo = await held.server.place.holdWrites();
    try {
      const path = '/authorize/sign-up';
      const answer = await form.send(page, path, { email: 'late@mail.example', password });
      expectPage(answer, 503, ['POST', path]);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(unescaped(answer.text)).toContain(`href="/authorize?${new URL(held.authorizeUrl(client)).search.slice(1)}"`);
    } finally {
      await letGo();
    }
    expect((await form.send(page, '/authorize/sign-up', { email: 'late@mail.example', password })).status).toBe(303);
  });
});

describe('a client over its rate limit', () => {
  it('gets a page with the waiting time, in its language', async () => {
    const narrow = await openLoginWorld({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '2' });
    try {
      const form = createFormClient(narrow.baseUrl);
      const ask = () => form.get(narrow.authorizeUrl(), { 'Accept-Language': 'de' });
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
      const answer = await ask();
      expectPage(answer, 429, ['GET', '/authorize']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.text).toMatch(/lang="de".*Bitte versuchen Sie es in (?:\d+ Sekunden|1 Minute)/s);
    } finally {
      await narrow.stop();
    }
  });
});
