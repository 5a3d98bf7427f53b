/** Memory of the process that `holdfast serve` starts, once it is ready and idle. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { serverCore, spawnPinned } from '../../tooling/child-processes.ts';
import { familyResidentBytes } from '../../tooling/readings.ts';
import { holdfastCommand } from '../../tooling/server-process.ts';
import { responds, until } from '../../tooling/until.ts';
import { temporaryPath } from '../../tooling/workspace.ts';
import type { Flags } from '../flags.ts';
import { count, digits, type Report, verdict } from '../report.ts';

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
  const child = spawnPinned(serverCore, [process.execPath, holdfastCommand, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
  const gone = once(child, 'exit');
  const isReady = () => {
    if (child.exitCode === null) return responds(`http://127.0.0.1:${port}/readyz`);
    throw new Error(`\`holdfast serve\` ended with code ${child.exitCode}; its last words are above`);
  };
  const otherwise = '`holdfast serve` did not become ready in 30 s';
  try {
    await until(isReady, { withinMilliseconds: readyMillisecondsMax, everyMilliseconds: 10, otherwise });
    const readyMilliseconds = performance.now() - begun;
    await sleep(idle * 1000);
    const residentMebibytes = familyResidentBytes(child.pid as number) / 2 ** 20;
    child.kill('SIGTERM');
    const [code] = (await gone) as [number | null];
    if (code !== 0) throw new Error(`\`holdfast serve\` ended with code ${code} when it was asked to stop`);
    return { readyMilliseconds, residentMebibytes };
  } finally {
    child.kill('SIGKILL');
  }
}
