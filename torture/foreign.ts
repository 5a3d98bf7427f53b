/**
 * Schemathesis against the service: it reads the served OpenAPI description, sends requests that it allows and forbids, and compares every
 * response with it. It knows only that description.
 *
 * @see https://schemathesis.readthedocs.io
 */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { type Engine, openRunDatabase } from '../tooling/database.ts';
import { startServerProcess, withDataDir } from '../tooling/server-process.ts';
import { Counts } from '../tooling/statistics.ts';
import { errorOfTool, type ForeignFailure, readFailures, type ToolError } from './foreign-report.ts';
import { openOperator } from './siege/operator.ts';

const requirement = 'schemathesis==4.32.5';
const cache = join(import.meta.dirname, '../node_modules/.cache/foreign');

export interface ForeignReport {
  readonly engine: Engine;
  /** Operations of the description that were tried, with at least one kind of credential. */
  readonly operations: number;
  readonly cases: number;
  /** Failures explained by a rule outside the description, by rule. */
  readonly explained: ReadonlyMap<string, number>;
  /** Empty if every other response matched the description. */
  readonly faults: readonly string[];
}

/** A kind of caller, with its share of the time. */
interface Pass {
  readonly scheme: string | undefined;
  readonly authorization: string | undefined;
  readonly share: number;
}

/** These would delete what the others need. */
const spared: ReadonlySet<string> = new Set(['deleteAccount', 'deleteProject']);

/** Tries the service over one engine for this many seconds. Rejects without Python, or if the server cannot be started. */
export function foreign(engine: Engine, seconds: number, seed: number): Promise<ForeignReport> {
  return withDataDir(async (dataDir) => {
    const tool = await schemathesis();
    const place = engine === 'embedded' ? {} : (await openRunDatabase()).place;
    const port = await freePort();
    const server = await startServerProcess({ dataDir, port, env: place });
    try {
      const operator = await openOperator(server.baseUrl, { ...place, SVC_DATA_DIR: dataDir, SVC_PORT: String(port) });
      const account = await operator.newAccount('Foreign');
      const playerToken = await operator.playerToken(account, 'player');
      const passes: readonly Pass[] = [
        { scheme: 'developer', authorization: `Bearer ${account.developerToken}`, share: 0.5 },
        { scheme: 'endUser', authorization: `Bearer ${playerToken}`, share: 0.15 },
        { scheme: 'apiKey', authorization: `ApiKey ${account.apiKey}`, share: 0.2 },
        { scheme: undefined, authorization: undefined, share: 0.15 },
      ];
      const folder = join(dataDir, 'foreign');
      mkdirSync(folder);
      const parameters = { accountId: account.accountId, slug: account.slug, env: 'development' };
      const lines = Object.entries(parameters).map(([name, value]) => `"path.${name}" = "${value}"`);
      // A long poll without a change would waste the time.
      writeFileSync(join(folder, 'schemathesis.toml'), `[parameters]\n${lines.join('\n')}\n"query.wait" = 0\n`);
      const tally: Tally = { operations: new Set(), cases: 0, failures: [] };
      for (const pass of passes) {
        await runPass({ tool, folder, baseUrl: server.baseUrl, seed }, pass, seconds * pass.share, tally);
      }
      const faults = server.isRunning() ? [] : [`the server ended:\n${server.output()}`];
      return reported(engine, tally, faults);
    } finally {
      await server.kill();
    }
  });
}

interface Tally {
  readonly operations: Set<string>;
  cases: number;
  readonly failures: ForeignFailure[];
}

function reported(engine: Engine, { operations, cases, failures }: Tally, faults: readonly string[]): ForeignReport {
  const explained = new Counts();
  for (const { explanation } of failures) if (explanation !== undefined) explained.add(explanation);
  const others = failures.filter(({ explanation }) => explanation === undefined).map(({ text }) => text);
  return { engine, operations: operations.size, cases, explained, faults: [...faults, ...others] };
}

interface Run {
  readonly tool: string;
  readonly folder: string;
  readonly baseUrl: string;
  readonly seed: number;
}

async function runPass(run: Run, { scheme, authorization }: Pass, seconds: number, tally: Tally): Promise<void> {
  const ids = await operationsOf(run.baseUrl, scheme);
  const report = join(run.folder, 'report.json');
  const { stdout } = await launched(run.tool, run.folder, [
    '--config-file',
    'schemathesis.toml',
    'run',
    `${run.baseUrl}/openapi.json`,
    ...ids.flatMap((id) => ['--include-operation-id', id]),
    ...(authorization === undefined ? [] : ['-H', `Authorization: ${authorization}`]),
    '--checks',
    'all',
    '--phases',
    'examples,coverage,fuzzing',
    '--continue-on-failure',
    '--no-shrink',
    '--max-time',
    String(Math.max(1, Math.round(seconds))),
    '--seed',
    String(run.seed % 2 ** 32),
    '--report',
    'json',
    '--report-json-path',
    report,
  ]);
  if (!existsSync(report)) throw new Error(`schemathesis made no report:\n${stdout.slice(-4_000)}`);
  const { test_cases: cases, errors } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly test_cases: { readonly generated: number };
    readonly errors: readonly ToolError[];
  };
  for (const id of ids) tally.operations.add(id);
  tally.cases += cases.generated;
  tally.failures.push(...readFailures(stdout));
  tally.failures.push(...errors.map(errorOfTool));
}

/** Operations whose first accepted credential is of a kind; or those that accept none. */
async function operationsOf(baseUrl: string, scheme: string | undefined): Promise<string[]> {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, { operationId: string; security: Record<string, unknown>[] }>>;
  };
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter(({ security }) => (scheme === undefined ? security.length === 0 : security.some((one) => scheme in one)))
    .map(({ operationId }) => operationId)
    .filter((id) => !spared.has(id));
}

/** Runs a program to its end. `execFile` treats findings as a failure. */
function launched(program: string, cwd: string, args: readonly string[]): Promise<{ readonly stdout: string }> {
  const options = {
    cwd,
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, PYTHONUTF8: '1', NO_COLOR: '1', COLUMNS: '400' },
  };
  return promisify(execFile)(program, args, options).catch((error: Error & { readonly stdout?: string }) => {
    if (error.stdout === undefined) throw error;
    return { stdout: error.stdout };
  });
}

/** The path of the tool, installed in a separate environment. */
async function schemathesis(): Promise<string> {
  const commands = join(cache, 'python/bin');
  const tool = join(commands, 'st');
  if (existsSync(tool)) return tool;
  mkdirSync(cache, { recursive: true });
  await promisify(execFile)('python3', ['-m', 'venv', join(cache, 'python')]);
  await promisify(execFile)(join(commands, 'pip'), ['install', '--quiet', requirement]);
  return tool;
}
