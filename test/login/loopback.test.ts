/** The last page of a sign-in requested by a program on the computer. @see docs/contract.md §7.1 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFormClient } from '../../tooling/forms.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

const password = 'correct horse battery';
let world: LoginWorld;
let client: LoginClient;
beforeAll(async () => {
  world = await openLoginWorld();
  client = await world.newClient({
    redirectUris: ['http://127.0.0.1/cb', 'http://localhost/cb'],
    allowedIdps: ['password'],
  });
});
afterAll(() => world.stop());

let people = 0;

/** The page after a sign-up requested with this redirect URI. */
async function lastPage(redirectUri: string, language: string) {
  const address = `player${++people}@example.com`;
  const form = createFormClient(world.baseUrl);
  const changes = { redirect_uri: redirectUri, ui_locales: language };
  const signUp = await form.get(world.authorizeUrl(client, changes, '/authorize/sign-up'));
  const sent = await form.send(signUp, '/authorize/sign-up', { email: address, password });
  const confirmation = await form.get(sent.location ?? '');
  const { code = '' } = await world.mailTo(address);
  return { form, page: await form.send(confirmation, '/authorize/confirm', { code }) };
}

describe.each([
  ['en', 'A program on this computer wants to sign you in'],
  ['de', 'Ein Programm auf diesem Computer'],
])('in %s', (language, text) => {
  it('names the client, and continues only by its button', async () => {
    const { form, page } = await lastPage('http://127.0.0.1:51004/cb', language);
    expect(page.text).toContain(text);
    expect(page.text).not.toContain('id="continue-form"');
    expect(page.text).not.toContain('id="offer"');
    const back = await form.send(page, '/v1/auth/authorize/callback', {});
    expect(back.location).toMatch(/^http:\/\/127\.0\.0\.1:51004\/cb\?code=/);
  });

  it('continues automatically to any other address', async () => {
    const { page } = await lastPage('http://localhost/cb', language);
    expect(page.text).not.toContain(text);
    expect(page.text).toContain('id="continue-form"');
  });
});
