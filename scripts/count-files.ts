/**
 * `node scripts/count-files.ts` starts the service, warms it up, and lists the files and functions of ours that the main thread enters for
 * one PATCH of a public state and for one refresh. `--functions` also names the functions.
 *
 * It counts with V8's precise coverage. Timers run in between, so it sends each request several times and omits what was not entered every
 * time. Other threads, such as the writer of the embedded store, are not counted.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { largeDocument, largeDocumentPointer } from '../tooling/load/documents.ts';
import { pathOf, seedApiKeys, seedProjects, seedRefreshTokens } from '../tooling/load/seed.ts';
import { readConfig } from '../packages/server/src/config/config.ts';
import { serve } from '../packages/server/src/main.ts';

/** Enough requests to fill the caches and settle each path. */
const warmUps = 300;
/** Requests whose common files and functions are counted. */
const counted = 12;
const root = join(import.meta.dirname, '..');

/** The entered functions, by file. */
type Entered = ReadonlyMap<string, ReadonlySet<string>>;

interface Response {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function send(url: string, options: RequestOptions, body: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end(body);
  });
}

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
  let version = 1;
  return async () => {
    const headers = {
      authorization: `ApiKey ${apiKey}`,
      'content-type': 'application/json',
      'if-match': `"${version}"`,
    };
    const body = JSON.stringify({ ops: [{ op: 'replace', path: largeDocumentPointer, value: version }] });
    const reply = await send(baseUrl + pathOf(0), { method: 'PATCH', headers }, body);
    if (reply.status !== 200) throw new Error(`a PATCH got status ${reply.status}: ${reply.text}`);
    version++;
  };
}

/** Refreshes of one session. Each sends the token from the previous one. */
function refreshes(baseUrl: string, first: string): () => Promise<void> {
  let token = first;
  return async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `grant_type=refresh_token&refresh_token=${encodeURIComponent(token)}&client_id=svc-developer`;
    const reply = await send(`${baseUrl}/v1/auth/token`, { method: 'POST', headers }, body);
    if (reply.status !== 200) throw new Error(`a refresh got status ${reply.status}: ${reply.text}`);
    token = JSON.parse(reply.text).refresh_token;
  };
}

async function main(namesFunctions: boolean): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-count-'));
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
    agent.destroy();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const { values } = parseArgs({ options: { functions: { type: 'boolean', default: false } } });
await main(values.functions);
