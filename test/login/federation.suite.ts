/** Sign-in through providers of the account, one of which is running. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { expectAlert, type Stage } from './stage.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import type { LoginClient } from './world.ts';

const labels = { 'github.com': 'GitHub', 'google.com': 'Google', 'microsoft.com': 'Microsoft', 'oidc.studio': 'Studio' };

export function federationSuite(stage: () => Stage): void {
  describe('a provider', () => {
    let upstream: Upstream;
    let client: LoginClient;

    beforeAll(async () => {
      const { world } = stage();
      client = await world.newClient({ allowedIdps: ['oidc.studio', 'oidc.gone', 'google.com', 'github.com'] });
      const callback = `${world.baseUrl}/authorize/federated/callback/${client.developer.accountId}/oidc.studio`;
      upstream = await startUpstream({ redirectUri: callback });
      const { issuer, clientId, clientSecret } = upstream;
      await world.putProvider(client, 'oidc.studio', { name: 'Studio', issuer, clientId, clientSecret });
      const gone = `http://127.0.0.1:${await freePort()}`;
      await world.putProvider(client, 'oidc.gone', { name: 'Gone', issuer: gone, clientId, clientSecret });
      for (const id of ['google.com', 'github.com', 'microsoft.com']) {
        await world.putProvider(client, id, { clientId: 'id', clientSecret: 'secret' });
      }
    });
    afterAll(() => upstream.stop());

    it('signs in the same person every time', async () => {
      const { world, newPage } = stage();
      const page = await newPage({ mayVisit: [upstream.issuer] });
      const people: unknown[] = [];
      for (const _ of ['first', 'second']) {
        await page.context().clearCookies();
        await page.goto(world.authorizeUrl(client));
        await page.click('text=Continue with Studio');
        await page.click('text=Agree');
        await page.waitForURL(/\/callback\?code/);
        const claims = await world.redeem(page.url(), client);
        expect(claims).toMatchObject({ svc_role: 'end_user', name: 'Ada' });
        people.push(claims.user_id);
      }
      expect(people[0]).toBe(people[1]);
      await page.context().close();
    });

    it('is shown only if it is allowed and configured', async () => {
      const { world, newPage } = stage();
      const page = await newPage();
      await page.goto(world.authorizeUrl(client));
      const shown = async () => (await page.locator('.ways a').allInnerTexts()).map((text) => text.trim()).sort();
      expect(await shown()).toEqual(['GitHub', 'Gone', 'Google', 'Studio'].map((name) => `Continue with ${name}`));
      expect(await page.locator('#password').count()).toBe(0); // the project does not allow passwords
      for (const [id, name] of Object.entries(labels)) {
        const alone = await world.newClient({ allowedIdps: [id] });
        const { issuer, clientId, clientSecret } = upstream;
        const isOwn = id.startsWith('oidc.');
        await world.putProvider(alone, id, { clientId, clientSecret, ...(isOwn && { name, issuer }) });
        for (const changes of [{}, { prompt: 'create' }]) {
          await page.goto(world.authorizeUrl(alone, changes));
          expect(await shown()).toEqual([`Continue with ${name}`]);
        }
      }
      const none = await world.newClient({ allowedIdps: ['google.com'] });
      await page.goto(world.authorizeUrl(none));
      expect(await page.title()).toMatch(/^Sign-in is not set up yet/);
      await page.context().close();
    });

    it('is refused if the project does not allow it, even at its address', async () => {
      const { world, newPage } = stage();
      const page = await newPage();
      const answer = await page.goto(world.authorizeUrl(client, {}, '/authorize/with/microsoft.com'));
      expect(answer?.status()).toBe(403);
      await expectAlert(page, /not available here/);
      expect(await page.locator('.ways a').count()).toBe(4);
      await page.context().close();
    });

    it('returns to the choice of methods after a cancellation or a failed connection', async () => {
      const { world, newPage } = stage();
      const page = await newPage({ mayVisit: [upstream.issuer] });
      await page.goto(world.authorizeUrl(client));
      await page.click('text=Continue with Studio');
      await page.click('text=Cancel');
      await expectAlert(page, /cancelled or refused/);
      expect(page.url()).toBe(world.authorizeUrl(client));
      await page.click('text=Continue with Gone');
      await expectAlert(page, /Gone cannot be reached/);
      await page.context().close();
    });

    it('asks to start again if the browser returns twice, or without its cookies', async () => {
      const { world, newPage } = stage();
      const page = await newPage({ mayVisit: [upstream.issuer] });
      await page.goto(world.authorizeUrl(client));
      await page.click('text=Continue with Studio');
      const [returning] = await Promise.all([page.waitForRequest(/federated\/callback/), page.click('text=Agree')]);
      const returned = returning.url();
      await page.waitForURL(/\/callback\?code/);
      await page.goto(returned);
      expect(await page.title()).toMatch(/^That took too long/);
      await page.click('main a.primary');
      expect(page.url()).toBe(world.authorizeUrl(client));
      await page.context().clearCookies();
      await page.goto(returned);
      expect(await page.title()).toMatch(/^That took too long/);
      expect(await page.locator('main a').count()).toBe(0);
      await page.context().close();
    });
  });
}
