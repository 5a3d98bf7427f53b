/** Memory of the process that `holdfast serve` starts, once it is ready and idle. */

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { serverCore, spawnPinned, temporaryPath } from '../../tooling/workspace.ts';
import type { Flags } from '../flags.ts';
import { count, digits, type Report, verdict } from '../report.ts';

const command = `${import.meta.dirname}/../../packages/server/bin/holdfast.mjs`;
const residentMebibytesMax = 88;
const readyMillisecondsMax = 30_000;
const idleSeconds = 5;

interface Start {
  readonly readyMilliseconds: number;
  readonly residentMebibytes: number;
}

/** Resident memory of an idle service: at a first start, without compiled code from earlier ones, and at a second. */
export async function measureMemory(flags: Flags): Promise<Report> {
  const seconds = flags.smoke ? 1 : idleSeconds;
  const firstStart = await startOnce(temporaryPath('data'), { NODE_DISABLE_COMPILE_CACHE: '1' }, seconds);
  const dataDir = temporaryPath('data');
  await startOnce(dataDir, {}, 1);
  const secondStart = await startOnce(dataDir, {}, seconds);
  const row = (name: string, start: Start, target: string) => [
    name,
    `${digits(start.residentMebibytes)} MiB`,
    `${count(start.readyMilliseconds)} ms`,
    target,
  ];
  const reached = secondStart.residentMebibytes < residentMebibytesMax;
  return {
    title: 'Idle memory',
    columns: ['case', 'resident', 'ready after', 'target'],
    rows: [
      row('first start, nothing compiled', firstStart, ''),
      row('second start', secondStart, verdict(`< ${residentMebibytesMax} MiB`, reached)),
    ],
    notes: [
      `VmRSS of the process that \`holdfast serve\` starts, ${seconds} s after it is ready, with the demo data only.`,
    ],
    measurements: { firstStart, secondStart },
  };
}

async function startOnce(dataDir: string, extra: Readonly<Record<string, string>>, idle: number): Promise<Start> {
  const port = await freePort();
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SVC|NODE)_/.test(name));
  const env = { ...Object.fromEntries(inherited), ...extra, SVC_PORT: String(port), SVC_DATA_DIR: dataDir };
  const begun = performance.now();
  const child = spawnPinned(serverCore, [process.execPath, command, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
  const gone = once(child, 'exit');
  while (!(await isReady(port))) {
    if (child.exitCode !== null)
      throw new Error(`\`holdfast serve\` ended with code ${child.exitCode}; its last words are above`);
    if (performance.now() - begun > readyMillisecondsMax) throw new Error('`holdfast serve` did not become ready in 30 s');
    await sleep(10);
  }
  const readyMilliseconds = performance.now() - begun;
  await sleep(idle * 1000);
  const residentMebibytes = readResidentMebibytes(child.pid as number);
  child.kill('SIGTERM');
  const [code] = (await gone) as [number | null];
  if (code !== 0) throw new Error(`\`holdfast serve\` ended with code ${code} when it was asked to stop`);
  return { readyMilliseconds, residentMebibytes };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

/** The memory of a process and its children, if any. */
function readResidentMebibytes(pid: number): number {
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return kibibytes / 1024 + children.reduce((sum, child) => sum + readResidentMebibytes(Number(child)), 0);
}
