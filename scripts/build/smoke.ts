/** Follows the README with a program as published: in an empty folder, by its commands and over HTTP. */

import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { outputOf } from '../../tooling/child-processes.ts';
import { until } from '../../tooling/until.ts';

/** How the command is started. */
export interface Command {
  /** Program and first arguments, for example `['npx', 'holdfast']`. */
  readonly words: readonly [string, ...string[]];
  /** The working directory, which will contain the data folder. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface Smoke {
  /** From the start of the command until the service is ready. */
  readonly readyMilliseconds: number;
  /** From the start of the command until the conflicting write is refused. */
  readonly writtenMilliseconds: number;
}

const startMillisecondsMax = 30_000;
const stopMillisecondsMax = 15_000;

/** Runs the service once and tries it. Rejects with the first difference from the README. */
export async function smoke(command: Command): Promise<Smoke> {
  const port = String(await freePort());
  const [program, ...words] = command.words;
  const begun = performance.now();
  const environment = { ...command.environment, SVC_PORT: port };
  const child = spawn(program, words, { cwd: command.folder, env: environment });
  const output = outputOf(child);
  try {
    await untilSaid('"msg":"ready"', output, startMillisecondsMax);
    const readyMilliseconds = performance.now() - begun;
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    await tryDemo(command);
    const writtenMilliseconds = performance.now() - begun;
    await tryPages(`http://127.0.0.1:${port}`);
    tryCommands(command);
    child.kill('SIGTERM');
    await untilSaid('"msg":"stopped"', output, stopMillisecondsMax);
    return { readyMilliseconds, writtenMilliseconds };
  } finally {
    child.kill('SIGKILL');
  }
}

/** Waits for a part of the output. A service behind npx stops slightly later than npx. */
function untilSaid(part: string, output: () => string, withinMilliseconds: number): Promise<void> {
  const otherwise = () => `the service never said "${part}":\n${output()}`;
  return until(() => output().includes(part), { withinMilliseconds, everyMilliseconds: 10, otherwise });
}

/** Reads, changes, and is refused; then tries a document that is parsed on another thread, and the history. */
async function tryDemo({ folder }: Command): Promise<void> {
  const { HOLDFAST_API_KEY: key, HOLDFAST_STATE_URL: url = '' } = parseEnv(
    readFileSync(join(folder, 'data/dev.env'), 'utf8'),
  );
  const headers = { Authorization: `ApiKey ${key}`, 'Content-Type': 'application/json' };
  const read = await fetch(url, { headers });
  assert.deepEqual([read.status, read.headers.get('etag')], [200, '"1"']);
  const body = JSON.stringify({ ops: [{ op: 'add', path: '/greeting', value: 'Hello again' }] });
  const change = () => fetch(url, { method: 'PATCH', headers: { ...headers, 'If-Match': '"1"' }, body });
  assert.equal((await change()).status, 200);
  const refused = await change();
  assert.deepEqual([refused.status, await refused.json()].slice(0, 1), [412]);
  const large = JSON.stringify({ state: { text: 'x'.repeat(200_000) } });
  const replaced = await fetch(url, { method: 'PUT', headers: { ...headers, 'If-Match': '"2"' }, body: large });
  assert.equal(replaced.status, 200, await replaced.text());
  assert.equal(((await (await fetch(`${url}/versions`, { headers })).json()) as unknown[]).length, 3);
}

async function tryPages(url: string): Promise<void> {
  const query = new URLSearchParams({
    client_id: 'svc-developer',
    redirect_uri: 'http://127.0.0.1:8976/callback',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  for (const [path, part] of [
    ['/docs', 'href="docs/reference/public-state#patchPublicState"'],
    ['/docs/reference', 'Version 1.0.0 of the interface'],
    ['/docs/state', 'href="state.md"'],
    ['/docs/state.md', '# State'],
    ['/llms-full.txt', '# State'],
    ['/client.js', '@holdfast/client'],
    ['/openapi.json', '"openapi":"3.1.1"'],
    [`/authorize?${query}`, '--on-primary'],
    ['/.well-known/jwks.json', '"keys"'],
  ] as const) {
    const response = await fetch(`${url}${path}`);
    const text = await response.text();
    assert.ok(
      response.status === 200 && text.includes(part),
      `GET ${path} answered ${response.status}:\n${text.slice(0, 500)}`,
    );
  }
}

function tryCommands(command: Command): void {
  assert.match(run(command, '--version'), /^\d+\.\d+\.\d+\n$/);
  assert.match(run(command, 'account', 'create', '--name', 'My studio', '--json'), /"developerToken": "ey/);
  run(command, 'backup', 'try.backup');
  assert.ok(existsSync(join(command.folder, 'try.backup')));
}

function run({ words: [program, ...words], folder, environment }: Command, ...args: readonly string[]): string {
  const options = { cwd: folder, env: environment, encoding: 'utf8', timeout: startMillisecondsMax } as const;
  const ended = spawnSync(program, [...words, ...args], options);
  assert.equal(ended.status, 0, `${args.join(' ')} ended with ${ended.status}:\n${ended.stdout}${ended.stderr}`);
  return ended.stdout;
}
