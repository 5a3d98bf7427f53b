/** A service with the console, and a browser with a signed-in developer. */
import { diff, type JsonObject } from '@holdfast/json';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeConsoleLink } from '../../packages/server/src/cli/console-link.ts';
import { launchBrowser } from '../../tooling/browser.ts';
import { type Developer, startServer, type TestServer, type TestServerOptions } from '../support/server.ts';

export interface ConsoleWorld {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Returns the operator's link to a developer's account, as the command line prints it for the demo. */
  linkFor(developer: Developer): Promise<string>;
  /** Opens a signed-in page in a separate browser context, at a path below `/console`. */
  signedIn(developer: Developer, path?: string, options?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
}

export async function openConsoleWorld(options: TestServerOptions = {}): Promise<ConsoleWorld> {
  const [server, browser] = await Promise.all([startServer(options), launchBrowser()]);
  const linkFor = async ({ accountId }: Developer) =>
    (await makeConsoleLink(server.running.store, accountId, server.baseUrl)).url;

  return {
    server,
    browser,
    linkFor,
    async signedIn(developer, path = '/', options = {}) {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 860 }, ...options });
      await context.addInitScript(preferJson);
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

/** Runs in each page: documents are shown as JSON, unless the address says otherwise. */
export const preferJson = `localStorage.setItem('holdfast.view', 'json')`;

/** Writes successive versions of a document, each with a comment. */
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
