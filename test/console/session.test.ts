/** The console's session, which a third party cannot replace. In a real browser against a real server. */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { consoleRedirectUri } from '../../packages/server/src/common/net/console-addresses.ts';
import { hashSecret, randomSecret } from '../../packages/server/src/common/secrets/secret-text.ts';
import type { Developer } from '../support/server.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let victim: Developer;
let attacker: Developer;
beforeAll(async () => {
  world = await openConsoleWorld();
  [victim, attacker] = [await world.server.newDeveloper('Victim Games'), await world.server.newDeveloper('Attacker Ltd')];
});
afterAll(() => world.stop());

/** A console link with a code of another user's sign-in. The attacker has chosen its verifier. */
async function stolenLink({ accountId }: Developer, person = {}): Promise<string> {
  const [code, verifier] = [randomSecret(), randomSecret()];
  await world.server.running.store.addAuthorizationCode(hashSecret(code), {
    accountId,
    slug: null,
    environment: null,
    clientId: 'svc-developer',
    subject: 'mallory',
    scope: 'developer',
    email: null,
    name: null,
    redirectUri: consoleRedirectUri(world.server.baseUrl),
    ...person,
    codeChallenge: hash('sha256', verifier, 'base64url'),
    expiresAt: Date.now() + 60_000,
  });
  return `${world.server.baseUrl}/console/demo#${code}.${verifier}`;
}

describe('a link', () => {
  it('with a code from the login page signs nobody in, neither here nor in another tab', async () => {
    const page = await world.signedIn(victim);
    const tab = await page.context().newPage();
    await tab.goto(await stolenLink(attacker));
    await tab.getByRole('button', { name: 'Open the demo in this tab' }).click();
    await tab.getByText('You could not be signed in').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.locator('.sidebar .session-holder', { hasText: 'Victim Games' }).waitFor();
    const stranger = await world.browser.newPage({ locale: 'en-US' });
    await stranger.goto(await stolenLink(attacker));
    await stranger.getByText('You could not be signed in').waitFor();
    await Promise.all([page, stranger].map((one) => one.context().close()));
  });
});
