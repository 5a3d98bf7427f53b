/** `holdfast doctor`: examines the installation and says what to do. Changes nothing, except to accept the clock on request. */
import { existsSync } from 'node:fs';
import type { Config, Environment } from '../../config/config.ts';
import type { PostgresFacts } from '../../storage/postgres/inspect/inspect.ts';
import { databasePath, denialIn } from '../../storage/sqlite/directory/database.ts';
import { isServed } from '../../storage/sqlite/inspect/keys.ts';
import { countRows } from '../backup/backup.ts';
import { withRecordedBaseUrl } from '../base-url.ts';
import { printable, printJson, printTable } from '../print.ts';
import { createProgress } from '../progress.ts';
import { formatBytes } from '../units.ts';
import { acceptClock } from './clock.ts';
import { examineConfig, readConfigLeniently } from './config.ts';
import { type DatabaseFacts, examineDatabase } from './database.ts';
import { type Answer, type Finding, findingOf, findingsIn } from './findings.ts';
import { examineDenied, examineFolder, examineMachine } from './machine.ts';
import { askNetwork } from './network.ts';
import { examinePostgres } from './postgres.ts';

export interface DoctorOptions {
  /** Skip checks that read the whole database. */
  readonly quick?: true;
  /** Contact servers that the service depends on: mail server, issuers, the database's clock, the base URL. */
  readonly network?: true;
  /** Accept the clock first. */
  readonly acceptClock?: true;
  readonly json?: true;
}

interface Report {
  /** `warnings`: nothing worse. `incomplete`: the database or its folder could not be examined. */
  readonly status: 'ok' | 'warnings' | 'findings' | 'incomplete';
  readonly findings: readonly Finding[];
  readonly dataDir: string;
  readonly baseUrl: string | null;
  readonly runtime: { readonly node: string; readonly sqlite: string };
  readonly service: 'ready' | 'not_ready' | 'stopped' | 'unknown';
  readonly database: DatabaseFacts | PostgresFacts | null;
  /** Results of network checks; null if none were made. */
  readonly network: readonly Answer[] | null;
}

const exitCodes = { ok: 0, findings: 1, incomplete: 2, warnings: 3 } as const;
const readyTimeoutMilliseconds = 3_000;

/** Prints the findings and returns the exit code: 0 no problem, 1 an error, 2 some checks could not run, 3 only warnings. */
export async function doctorCommand(environment: Environment, options: DoctorOptions): Promise<number> {
  const report = await examine(environment, options);
  if (options.json) printJson(report);
  else print(report);
  return exitCodes[report.status];
}

async function examine(environment: Environment, options: DoctorOptions): Promise<Report> {
  const { config: found, findings: faults } = readConfigLeniently(environment);
  const config = withRecordedBaseUrl(found, environment);
  if (options.acceptClock) await acceptClock(config);
  const { dataDir, baseUrl = null } = config;
  const { node, sqlite = 'unknown' } = process.versions;
  const { service, database, isComplete, findings: damage } = await examineStore(config, options.quick ?? false);
  const network = options.network ? await askNetwork(config, service === 'stopped') : null;
  const findings = [...faults, ...examineConfig(config), ...examineMachine(), ...damage, ...findingsIn(network ?? [])];
  return {
    status: isComplete ? statusOf(findings) : 'incomplete',
    findings,
    dataDir,
    baseUrl,
    runtime: { node, sqlite },
    service,
    database,
    network,
  };
}

type StoreExamination = Pick<Report, 'service' | 'database' | 'findings'> & { readonly isComplete: boolean };

/** Examines the database, its folder and the running service. */
async function examineStore(config: Config, isQuick: boolean): Promise<StoreExamination> {
  const { dataDir, baseUrl = null } = config;
  if (config.databaseUrl !== undefined) {
    const { facts, findings } = await examinePostgres(config, isQuick);
    return { service: 'unknown', database: facts, findings, isComplete: facts !== null };
  }
  const denial = denialIn(dataDir);
  if (denial) return { service: 'unknown', database: null, findings: examineDenied(dataDir, denial), isComplete: false };
  if (!existsSync(databasePath(dataDir))) {
    return { service: 'stopped', database: null, findings: [noDatabase(dataDir)], isComplete: false };
  }
  const folder = examineFolder(dataDir);
  const served = isServed(dataDir);
  const service = served ? await askReady(baseUrl) : { state: 'stopped' as const, findings: [] };
  const progress = createProgress();
  const { facts, findings: damage } = examineDatabase(config, { quick: isQuick, served }, progress);
  progress.end();
  const findings = [...folder, ...service.findings, ...damage];
  return { service: service.state, database: facts, findings, isComplete: true };
}

function statusOf(findings: readonly Finding[]): Report['status'] {
  if (findings.some(({ level }) => level === 'error')) return 'findings';
  return findings.some(({ level }) => level === 'warning') ? 'warnings' : 'ok';
}

const noDatabase = (dataDir: string) =>
  findingOf('data_folder')(
    'error',
    `there is no database in ${dataDir}`,
    'set SVC_DATA_DIR to the data folder of the service; if it has never run, "holdfast serve" creates one',
  );

/** Asks a running service whether it is ready. */
async function askReady(baseUrl: string | null): Promise<{ state: Report['service']; findings: readonly Finding[] }> {
  const found = findingOf('service');
  if (baseUrl === null) return { state: 'unknown', findings: [] };
  const url = `${baseUrl}/readyz`;
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(readyTimeoutMilliseconds), redirect: 'manual' });
    if (status === 200) return { state: 'ready', findings: [] };
    const advice =
      status === 503
        ? 'read its log: it cannot use its database'
        : 'make sure that SVC_BASE_URL is the address of the service';
    return { state: 'not_ready', findings: [found('error', `a service runs, but ${url} answers ${status}`, advice)] };
  } catch {
    const advice = 'make sure that the base URL is the address of the service, or set SVC_BASE_URL';
    return {
      state: 'unknown',
      findings: [found('warning', `a service runs, but ${url} cannot be reached from here`, advice)],
    };
  }
}

const serviceNames = {
  ready: 'running, ready',
  not_ready: 'running, not ready',
  stopped: 'not running',
  unknown: 'unknown',
};

function print(report: Report): void {
  const { runtime, database, network } = report;
  printTable([
    ['Runtime', `Node ${runtime.node}, SQLite ${runtime.sqlite}`],
    ['Base URL', report.baseUrl ?? 'unknown'],
    ['Data folder', report.dataDir],
    ['Service', serviceNames[report.service]],
    ...(database ? databaseRows(database) : []),
    // Problems are among the findings.
    ...(network ?? []).flatMap(({ asked, answer, level }) => (level === null ? [['Network', `${asked} ${answer}`]] : [])),
  ]);
  const write = (line: string) => process.stdout.write(`${printable(line)}\n`);
  for (const { level, area, finding, advice } of report.findings) {
    write('');
    write(`${level}, ${area.replace('_', ' ')}: ${finding}`);
    write(`  → ${advice}`);
  }
  write('');
  write(closing(report));
}

function databaseRows(facts: DatabaseFacts | PostgresFacts): string[][] {
  if ('serverVersion' in facts) {
    const { serverVersion, databaseBytes, connections, counts } = facts;
    const text = `PostgreSQL ${serverVersion}, ${formatBytes(databaseBytes)}, ${connections.used} of ${connections.max} connections`;
    return [['Database', text], ...countRows(counts)];
  }
  const { sizes, tables, counts } = facts;
  const largest = (tables ?? []).slice(0, 4).map(({ table, bytes }) => `${table} ${formatBytes(bytes)}`);
  return [
    [
      'Database',
      `${formatBytes(sizes.databaseBytes)}, log ${formatBytes(sizes.logBytes)}, unused ${formatBytes(sizes.unusedBytes)}`,
    ],
    ...(largest.length > 0 ? [['Largest', largest.join(', ')]] : []),
    ...countRows(counts),
  ];
}

function closing({ status, findings, database }: Report): string {
  if (status === 'incomplete') return 'Not everything could be examined.';
  if (status === 'ok') return database?.counts ? 'Nothing to do.' : 'Nothing to do, according to the quick checks.';
  const count = findings.filter(({ level }) => level !== 'note').length;
  return count === 1 ? 'There is one thing to do.' : `There are ${count} things to do.`;
}
