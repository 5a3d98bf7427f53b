/** `npm run bench`: measures the service against floors of the same run, and prints a table. See docs/performance.md. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { closeRunDatabases } from '../tooling/database.ts';
import { requireProgram } from '../tooling/programs.ts';
import { cleanUpAtExit } from '../tooling/workspace.ts';
import { type AgainstFlags, type Flags, isScript, readFlags, type ScriptName, type SuiteName, usage } from './flags.ts';
import { describeMachine, savePage } from './performance-page.ts';
import { printReport, type Report } from './report.ts';
import { withProcesses } from './server-process.ts';
import { measureAgainst } from './suites/against.ts';
import { measureGet } from './suites/get.ts';
import { measureMemory } from './suites/memory.ts';
import { measurePatch } from './suites/patch.ts';
import { measurePostgresGet } from './suites/postgres-get.ts';
import { measurePostgresNodes } from './suites/postgres-nodes.ts';
import { measurePostgresPut } from './suites/postgres-put.ts';
import { measureProjects } from './suites/projects.ts';
import { measurePut } from './suites/put.ts';
import { measureRefresh } from './suites/refresh.ts';
import { measureVersions } from './suites/versions.ts';

const suites: Readonly<Record<Exclude<SuiteName, ScriptName>, (flags: Flags) => Promise<Report>>> = {
  get: measureGet,
  put: measurePut,
  patch: measurePatch,
  refresh: measureRefresh,
  memory: measureMemory,
  versions: measureVersions,
  projects: measureProjects,
  'postgres-get': measurePostgresGet,
  'postgres-put': measurePostgresPut,
  'postgres-nodes': measurePostgresNodes,
};

/** Runs a benchmark that prints its own results. */
function runScript(name: ScriptName): void {
  const { status } = spawnSync(process.execPath, [`${import.meta.dirname}/scripts/${name}.ts`], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`bench/scripts/${name}.ts ended with code ${status}`);
}

/** Runs the suites; returns the reports of those that finished. */
async function runSuites(flags: Flags): Promise<Report[]> {
  const reports: Report[] = [];
  for (const name of flags.only) {
    try {
      if (isScript(name)) {
        runScript(name);
        continue;
      }
      process.stderr.write(`measuring ${name} `);
      const report = await withProcesses(() => suites[name](flags));
      reports.push(report);
      console.log(printReport(report));
    } catch (error) {
      process.exitCode = 1;
      console.error(`\nThe suite ${name} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return reports;
}

const isAgainst = (flags: Flags): flags is AgainstFlags => flags.against !== undefined;

async function compareCommits(flags: AgainstFlags): Promise<Report[]> {
  process.stderr.write(`installing ${flags.against}; then measuring `);
  const reports = await measureAgainst(flags);
  for (const report of reports) console.log(printReport(report));
  return reports;
}

async function main(): Promise<void> {
  const flags = readFlags(process.argv.slice(2));
  cleanUpAtExit();
  requireProgram('taskset', 'util-linux');
  requireProgram('wrk', 'wrk');
  const machine = describeMachine();
  console.log(machine.join('\n'));
  if (flags.smoke) console.log('A smoke run: the figures mean nothing.');
  const measuring = isAgainst(flags) ? compareCommits(flags) : runSuites(flags);
  const reports = await measuring.finally(closeRunDatabases);
  if (flags.jsonFile !== undefined) writeFileSync(flags.jsonFile, JSON.stringify({ machine, flags, reports }, null, 2));
  if (flags.save && process.exitCode === undefined) savePage(machine, flags, reports);
  // A failed suite may have left a store open.
  process.exit();
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}\n\n${usage}`);
  process.exit(2);
}
