/** Several tabs of one browser: opened simultaneously in a new browser, and at a provider. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAlert, fillSignIn, type Stage, skipOffer } from './stage.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import type { LoginClient } from './world.ts';

/** Opens an address in each tab. Requests are held until all tabs are ready, so none sends a cookie from another. */
async function openTogether(context: BrowserContext, urls: readonly string[]): Promise<Page[]> {
  const ready: (() => void)[] = [];
  await context.route(/\/authorize\?/, async (route) => {
    await new Promise<void>((resolve) => {
      ready.push(resolve);
      if (ready.length === urls.length) for (const send of ready) send();
    });
    await route.continue();
  });
  const pages = await Promise.all(urls.map(() => context.newPage()));
  await Promise.all(pages.map((page, i) => page.goto(urls[i] as string)));
  await context.unrouteAll({ behavior: 'wait' });
  return pages;
}

export function tabsSuite(stage: () => Stage): void {
  describe('several tabs', () => {
    let upstream: Upstream;
    let client: LoginClient;
    beforeAll(async () => {
      const { world } = stage();
      client = await world.newClient({ allowedIdps: ['password', 'oidc.studio'] });
      const redirectUri = `${world.baseUrl}/authorize/federated/callback/${client.developer.accountId}/oidc.studio`;
      upstream = await startUpstream({ redirectUri });
      const { issuer, clientId, clientSecret } = upstream;
      await world.putProvider(client, 'oidc.studio', { name: 'Studio', issuer, clientId, clientSecret });
    });
    afterAll(() => upstream.stop());

    it('opened simultaneously in a new browser all sign in', async () => {
      const { world, newPage, newUser } = stage();
      const address = await newUser(client);
      const context = (await newPage()).context();
      const pages = await openTogether(
        context,
        [1, 2, 3].map(() => world.authorizeUrl(client)),
      );
      for (const page of pages) {
        await fillSignIn(page, address);
        expect(await world.redeem(await skipOffer(page), client)).toMatchObject({ email: address });
      }
      await context.close();
    });

    it('return from a provider in any order, and a cancelled one ends no other', async () => {
      const { world, newPage } = stage();
      const first = await newPage({ mayVisit: [upstream.issuer] });
      const context = first.context();
      const [second, third] = [await context.newPage(), await context.newPage()];
      for (const page of [first, second, third]) {
        await page.goto(world.authorizeUrl(client));
        await page.click('text=Continue with Studio');
        await page.waitForSelector('text=Agree');
      }
      await second.click('text=Cancel');
      await expectAlert(second, /cancelled or refused/);
      for (const page of [third, first]) {
        await page.click('text=Agree');
        await page.waitForURL(/\/callback\?code/);
        expect(await world.redeem(page.url(), client)).toMatchObject({ name: 'Ada' });
      }
      await second.click('text=Continue with Studio');
      await second.waitForURL(/interaction|\/callback\?code/);
      if (!second.url().includes('/callback?code')) await second.click('text=Agree');
      await second.waitForURL(/\/callback\?code/);
      await context.close();
    });
  });
}
