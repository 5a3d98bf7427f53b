/** A service with the console, a browser, and a developer who is signed in. */
import { hash } from 'node:crypto';
import { diff, type JsonObject } from '@holdfast/json';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { consoleLink, consoleLinkRedirectUri } from '../../packages/server/src/common/console-addresses.ts';
import { hashSecret, randomSecret } from '../../packages/server/src/oauth/secret-text.ts';
import { launchBrowser } from '../login/browser.ts';
import { type Developer, startServer, type TestServer, type TestServerOptions } from '../support/server.ts';

export interface ConsoleWorld {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Returns a link as the command line prints it for the demo, for any developer. */
  linkFor(developer: Developer): Promise<string>;
  /** Opens a page in a browser of its own, signed in, at a path below `/console`. */
  signedIn(developer: Developer, path?: string, options?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
}

export async function openConsoleWorld(options: TestServerOptions = {}): Promise<ConsoleWorld> {
  const [server, browser] = await Promise.all([startServer(options), launchBrowser()]);

  async function linkFor({ accountId }: Developer): Promise<string> {
    const [code, verifier] = [randomSecret(), randomSecret()];
    await server.running.store.addAuthorizationCode(hashSecret(code), {
      accountId,
      slug: null,
      environment: null,
      clientId: 'svc-developer',
      subject: 'operator',
      scope: 'developer',
      email: null,
      name: null,
      redirectUri: consoleLinkRedirectUri(server.baseUrl),
      codeChallenge: hash('sha256', verifier, 'base64url'),
      expiresAt: Date.now() + 3_600_000,
    });
    return consoleLink(server.baseUrl, code, verifier);
  }

  return {
    server,
    browser,
    linkFor,
    async signedIn(developer, path = '/', options = {}) {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 860 }, ...options });
      const page = await context.newPage();
      await page.goto(await linkFor(developer));
      await page.waitForURL((url) => !url.pathname.endsWith('/demo'));
      await page.goto(`${server.baseUrl}/console${path}`);
      return page;
    },
    async stop() {
      await browser.close();
      await server.stop();
    },
  };
}

/** Writes versions of a document one after the other, each with a comment. */
export async function writeVersions(
  server: TestServer,
  path: string,
  headers: Readonly<Record<string, string>>,
  versions: readonly (readonly [JsonObject, string | null])[],
): Promise<void> {
  const read = await server.call('GET', path, { headers });
  let version = read.status === 200 ? (read.json as { version: number }).version : 0;
  let before: JsonObject = read.status === 200 ? (read.json as { state: JsonObject }).state : {};
  for (const [state, comment] of versions) {
    const condition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
    const body = version === 0 ? { state, comment } : { ops: diff(before, state), comment };
    const method = version === 0 ? 'PUT' : 'PATCH';
    const answer = await server.call(method, path, { headers: { ...headers, ...condition }, body });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    version += 1;
    before = state;
  }
}
