/**
 * `node scripts/count-files.ts` starts the service, warms it up, and lists the files and functions of ours that the main thread enters for
 * one PATCH of a public state and for one refresh. `--functions` also names the functions.
 *
 * It counts with V8's precise coverage. Timers run in between, so it sends each request several times and omits what was not entered every
 * time. Other threads, such as the writer of the embedded store, are not counted.
 */

import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from '../packages/server/src/config/config.ts';
import { serve } from '../packages/server/src/main.ts';
import { createApi, exchange, expectStatus, writesAfter } from '../tooling/api.ts';
import { largeDocument, largeDocumentPointer } from '../tooling/load/documents.ts';
import { pathOf, seedApiKeys, seedProjects, seedRefreshTokens } from '../tooling/load/seed.ts';
import { withFolder } from '../tooling/workspace.ts';

/** Enough requests to fill the caches and settle each path. */
const warmUps = 300;
/** Requests whose common files and functions are counted. */
const counted = 12;
const root = join(import.meta.dirname, '..');

/** The entered functions, by file. */
type Entered = ReadonlyMap<string, ReadonlySet<string>>;

/** Sends the request `counted` times, warmed up; returns what all of these requests entered. */
async function enteredBy(session: Session, sendOnce: () => Promise<unknown>): Promise<Entered> {
  for (let i = 0; i < warmUps; i++) await sendOnce();
  let common: Map<string, Set<string>> | undefined;
  for (let i = 0; i < counted; i++) {
    await session.post('Profiler.takePreciseCoverage'); // resets the counts
    await sendOnce();
    const entered = functionsIn((await session.post('Profiler.takePreciseCoverage')).result);
    common = common === undefined ? entered : intersection(common, entered);
  }
  return common as Entered;
}

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

function functionsIn(scripts: readonly ScriptCoverage[]): Map<string, Set<string>> {
  const entered = new Map<string, Set<string>>();
  for (const { url, functions } of scripts) {
    const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)).replaceAll('\\', '/') : '';
    if (!file.startsWith('packages/')) continue;
    const names = functions.flatMap(({ functionName, ranges: [range] }) =>
      // The function at offset 0 is the module.
      range !== undefined && range.count > 0 && range.startOffset > 0
        ? [nameOf(file, functionName, range.startOffset)]
        : [],
    );
    if (names.length > 0) entered.set(file, new Set(names));
  }
  return entered;
}

function nameOf(file: string, name: string, offset: number): string {
  const line = readFileSync(join(root, file), 'utf8').slice(0, offset).split('\n').length;
  return `${name || '(anonymous)'}:${line}`;
}

function intersection(left: Map<string, Set<string>>, right: Entered): Map<string, Set<string>> {
  const both = [...left].map(([file, names]): [string, Set<string>] => [
    file,
    names.intersection(right.get(file) ?? new Set()),
  ]);
  return new Map(both.filter(([, names]) => names.size > 0));
}

function print(title: string, entered: Entered, namesFunctions: boolean): void {
  const functions = [...entered.values()].reduce((sum, names) => sum + names.size, 0);
  console.log(`\n${title}: ${entered.size} files, ${functions} functions`);
  for (const [file, names] of [...entered].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`  ${String(names.size).padStart(3)}  ${file.replace(/^packages\//, '')}`);
    if (namesFunctions) console.log(`         ${[...names].join(' ')}`);
  }
}

/** Patches of one state. Each names the version from the previous one. */
function patches(baseUrl: string, apiKey: string): () => Promise<void> {
  const api = createApi(baseUrl, `ApiKey ${apiKey}`);
  let version = 1;
  return async () => {
    const body = { ops: [{ op: 'replace', path: largeDocumentPointer, value: version }] };
    expectStatus(await api.send('PATCH', pathOf(0), { headers: writesAfter(version), body }), 200);
    version++;
  };
}

/** Refreshes of one session. Each sends the token from the previous one. */
function refreshes(baseUrl: string, first: string): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { hostname, port } = new URL(baseUrl);
  const options = { agent, hostname, port, method: 'POST', path: '/v1/auth/token', headers };
  let token = first;
  return async () => {
    const form = { grant_type: 'refresh_token', refresh_token: token, client_id: 'svc-developer' };
    const { text } = expectStatus(await exchange(options, String(new URLSearchParams(form))), 200);
    token = JSON.parse(text).refresh_token;
  };
}

async function main(dataDir: string): Promise<void> {
  const { functions: namesFunctions } = values;
  const outcome = readConfig({
    SVC_PORT: '0',
    SVC_DATA_DIR: dataDir,
    SVC_LOG_LEVEL: 'warn',
    SVC_RATE_LIMIT_PER_MINUTE: '100000',
  });
  if (outcome.kind === 'faults') throw new Error(outcome.faults.join('; '));
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const service = await serve(outcome.config);
  try {
    await seedProjects(service.store, { projects: 1, document: largeDocument, togetherMax: 1 });
    const [apiKey = ''] = await seedApiKeys(service.store, 1);
    const [token = ''] = await seedRefreshTokens(service.store, 1);
    const patch = await enteredBy(session, patches(service.baseUrl, apiKey));
    print('A warm PATCH of one member in 250 KB of public state', patch, namesFunctions);
    const refresh = await enteredBy(session, refreshes(service.baseUrl, token));
    print('A warm refresh', refresh, namesFunctions);
  } finally {
    await service.stop();
  }
}

const { values } = parseArgs({ options: { functions: { type: 'boolean', default: false } } });
await withFolder('count', main);
