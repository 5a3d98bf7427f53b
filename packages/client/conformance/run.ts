/**
 * `node packages/client/conformance/run.ts PROGRAM ARGUMENTS…` tests the client that a program drives; for this package's client that is
 * `node driver.mjs`. Prints a line for each case, and exits with 1 if one failed.
 */
import { type Call, type Case, readCases, type Step } from './cases.ts';
import { mismatch } from './compare.ts';
import { type Driver, startDriver } from './driver.ts';
import { type ScriptedServer, startScriptedServer } from './server.ts';

export interface Outcome {
  readonly name: string;
  /** Empty if the client has passed. */
  readonly faults: readonly string[];
}

/** Runs the cases whose names contain `only`, by default all, against the client that a command drives. */
export async function runConformance(command: readonly string[], only = ''): Promise<readonly Outcome[]> {
  const server = await startScriptedServer();
  const driver = startDriver(command);
  const outcomes: Outcome[] = [];
  try {
    for (const each of readCases().filter(({ name }) => name.includes(only)))
      outcomes.push({ name: each.name, faults: await runCase(each, server, driver) });
  } finally {
    await driver.stop();
    server.stop();
  }
  return outcomes;
}

async function runCase(
  { steps, session, guest, redirectUri }: Case,
  server: ScriptedServer,
  driver: Driver,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const place = { baseUrl: server.baseUrl, accountId: 'acc_1', project: 'game', environment: 'production' };
  await driver.ask({
    call: 'open',
    ...place,
    timeoutMs: 20_000,
    ...(guest ? { guest, redirectUri } : session ? { session } : { auth: { apiKey: 'svck_1' } }),
  });
  for (const step of steps) {
    faults.push(...(await runStep(step, server, driver)));
    if (faults.length > 0) break;
  }
  if (faults.length === 0) await server.settled();
  await driver.ask({ call: 'close' });
  faults.push(...server.faults.filter((fault) => !faults.includes(fault)));
  server.reset();
  return faults;
}

async function runStep(step: Step, server: ScriptedServer, driver: Driver): Promise<readonly string[]> {
  const { exchanges = [], inAnyOrder = false, cut = false, calls, result, error, ...call } = step;
  server.expect(exchanges, inAnyOrder);
  server.isSubscribed ||= step.call === 'subscribe';
  const answers = await Promise.all((calls ?? [call as Call]).map((each) => driver.ask(each)));
  const faults = answers.map((answer) => {
    if (error !== undefined) {
      return answer.error === undefined
        ? `there is no error, but ${JSON.stringify(answer.result)}`
        : mismatch(error, answer.error, 'the error');
    }
    return answer.error === undefined
      ? mismatch(result, answer.result)
      : `there is an error: ${JSON.stringify(answer.error)}`;
  });
  const found = faults.filter((fault) => fault !== undefined);
  if (cut) server.cut();
  return [...found, ...server.faults];
}

if (import.meta.main) {
  const outcomes = await runConformance(process.argv.slice(2));
  for (const { name, faults } of outcomes) {
    console.log(`${faults.length === 0 ? '✓' : '✗'} ${name}`);
    for (const fault of faults) console.log(`    ${fault}`);
  }
  const failed = outcomes.filter(({ faults }) => faults.length > 0).length;
  console.log(`${outcomes.length - failed} of ${outcomes.length}`);
  if (failed > 0) process.exitCode = 1;
}
