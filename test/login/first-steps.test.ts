/** A first visit to the login pages, over HTTP. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createFormClient } from '../../tooling/forms.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

let world: LoginWorld;
let client: LoginClient;
beforeAll(async () => {
  world = await openLoginWorld({
    SVC_TERMS_URL: 'https://studio.example/terms?version=2',
    SVC_PRIVACY_URL: 'https://studio.example/privacy',
    SVC_MAIL_TEXTS: 'allowed',
  });
  client = await world.newClient({ allowedIdps: ['oidc.studio', 'password', 'google.com', 'github.com'] });
  for (const id of ['github.com', 'google.com', 'oidc.studio']) {
    const issuer = id === 'oidc.studio' ? { issuer: 'https://studio.example', name: 'Studio' } : {};
    await world.putProvider(client, id, { clientId: 'id', clientSecret: 'secret', ...issuer });
  }
});
afterAll(() => world.stop());

const pageAt = async (path: string, of: LoginClient | undefined = client) =>
  (await createFormClient(world.baseUrl).get(world.authorizeUrl(of, {}, path))).text;
const countOf = (text: string, part: string) => text.split(part).length - 1;

describe.each(['/authorize', '/authorize/sign-up'])('%s of a project', (path) => {
  it('offers the providers in the project’s order', async () => {
    const labels = [...(await pageAt(path)).matchAll(/<span>Continue with (\w+)<\/span>/g)].map(([, name]) => name);
    expect(labels).toEqual(['Studio', 'Google', 'GitHub']);
  });

  it('links to the operator’s terms and privacy statement', async () => {
    const page = await pageAt(path);
    expect(page).toContain('<a href="https://studio.example/terms?version=2">Terms of use</a>');
    expect(page).toContain('<a href="https://studio.example/privacy">Privacy</a>');
  });

  it('has its own icon in the browser tab', async () => {
    const iconOf = (page: string) =>
      decodeURIComponent(/rel="icon" href="data:image\/svg\+xml,([^"]+)"/.exec(page)?.[1] ?? '');
    expect(iconOf(await pageAt(path))).toContain('>S</text>'); // Sea of Glass
    const own = iconOf(
      await createFormClient(world.baseUrl)
        .get(world.authorizeUrl(undefined, {}, path))
        .then(({ text }) => text),
    );
    expect(own).toContain('<svg');
    expect(own).not.toContain('</text>');
  });
});

describe('a new account', () => {
  const fill = async (email: string, password: string) => {
    const form = createFormClient(world.baseUrl);
    const page = await form.get(world.authorizeUrl(client, {}, '/authorize/sign-up'));
    return form.send(page, '/authorize/sign-up', { email, password, name: '' });
  };

  it('shows a password fault once, and keeps the provider buttons', async () => {
    const { status, text } = await fill('ada@example.com', 'short');
    expect(status).toBe(422);
    expect(countOf(text, 'at least 8 characters') + countOf(text, 'At least 8 characters')).toBe(1);
    expect(countOf(text, 'role="alert"')).toBe(1);
    expect(text).toContain('aria-describedby="password-fault"');
    expect(countOf(text, 'Continue with')).toBe(3);
  });

  it('lists several faulty fields, with an explanation at each', async () => {
    const { text } = await fill('nobody', 'short');
    expect(text).toMatch(
      /role="alert"><p>[^<]+<\/p><ul><li><a href="#email">Email<\/a><\/li><li><a href="#password">Password<\/a>/,
    );
    expect(countOf(text, 'This is not an email address')).toBe(1);
    expect(countOf(text, 'The password is too short')).toBe(1);
    expect(countOf(text, 'role="alert"')).toBe(1);
  });
});

test('the mail with the code has the look and the words of the project as they are when it is sent', async () => {
  const logoData = Buffer.from('ffd8ffe00004abcdffda0004abcd0102ffd9', 'hex').toString('base64');
  const mailWords = { subject: 'Welcome aboard', greeting: 'Ahoy!', footer: 'Reef Studio' };
  const branded = await world.newClient({ logoData, logoMediaType: 'image/jpeg', primaryColor: '#123456', mailWords });
  const form = createFormClient(world.baseUrl);
  const page = await form.get(world.authorizeUrl(branded, {}, '/authorize/sign-up'));
  await form.send(page, '/authorize/sign-up', { email: 'mail@example.com', password: 'correct horse battery', name: '' });
  const { subject, text } = await world.mailTo('mail@example.com');
  expect(subject).toMatch(/^=\?UTF-8\?Q\?\d{6}_=E2=80=93_Welcome_aboard\?=$/);
  for (const part of ['Ahoy!', 'Reef Studio', logoData]) expect(text).toContain(part);
});

test.each([
  ['http://127.0.0.1:5173/cb', 'sign-in settings'],
  ['http://localhost/cb', 'sign-in settings'],
  ['https://evil.example/cb', 'makers of the app'],
  ['http://127.0.0.1.evil.example/', 'makers of the app'],
])('a page for the unregistered address %s has a hint for developers only if it is on this computer', async (uri, hint) => {
  const url = world.authorizeUrl(client, { redirect_uri: uri });
  const { status, text } = await createFormClient(world.baseUrl).get(url);
  expect(status).toBe(400);
  expect(['sign-in settings', 'makers of the app'].filter((each) => text.includes(each))).toEqual([hint]);
  expect(text).not.toContain('evil');
});
