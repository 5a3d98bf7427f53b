/** `packages/json` in a real browser: with types removed, its files give the same results as in Node. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as here from '@holdfast/json';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diceOf } from '../packages/json/src/cases.oracle.ts';
import { pairOfDocuments } from '../packages/json/src/diff.oracle.ts';
import { printModel } from '../packages/json/src/model.oracle.ts';
import { launchBrowser } from '../tooling/browser.ts';

const source = join(import.meta.dirname, '../packages/json/src');
const pairs = Array.from({ length: 500 }, (_, seed) => pairOfDocuments(diceOf(seed)).map(printModel) as [string, string]);
const page = `<!doctype html><script type="module">
  import * as json from '/index.ts';
  globalThis.json = json;
</script>`;
let server: Server;
let browser: Browser;

beforeAll(async () => {
  server = createServer((request, response) => {
    const name = /^\/([a-z-]+\.ts)$/.exec(request.url ?? '')?.[1];
    if (name === undefined) return void response.setHeader('Content-Type', 'text/html').end(page);
    const text = stripTypeScriptTypes(readFileSync(join(source, name), 'utf8'));
    response.setHeader('Content-Type', 'text/javascript').end(text);
  }).listen(0, '127.0.0.1');
  [browser] = await Promise.all([launchBrowser(), once(server, 'listening')]);
});
afterAll(async () => {
  await browser?.close();
  server.close();
});

/** Each pair's patch from the first document to the second, and its result. Runs both here and in the browser. */
function patchAll(json: typeof here, documents: readonly (readonly [string, string])[]): string[] {
  return documents.map(([from, to]) => {
    const operations = json.diff(json.parseJson(from) as here.JsonObject, json.parseJson(to) as here.JsonObject);
    const patched = json.patchText(json.printJson(json.parseJson(from)), operations);
    return json.printJson([operations as unknown as here.JsonValue, patched as unknown as here.JsonValue]);
  });
}

test('texts, patches and differences are the same in a browser', async () => {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await tab.waitForFunction('globalThis.json');
  const there: string[] = await tab.evaluate(`(${patchAll})(json, ${JSON.stringify(pairs)})`);
  expect(there).toEqual(patchAll(here, pairs));
  expect(there.join().includes('9007199254740993')).toBe(true);
});
