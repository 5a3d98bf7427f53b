/**
 * Changes at set times over nodes that are killed, cut off and put to sleep, while others write the same documents: each is applied once and
 * reverted once, soon after its time, and what conflicts is reported. What the nodes say is compared with the versions of the documents, and
 * each step is looked for two seconds after its time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '@holdfast/contract';
import { type ApiAnswer, type ApiRequest, expectStatus, writesAfter } from '../../tooling/api.ts';
import { publicStatePath } from '../../tooling/credentials.ts';
import type { Engine } from '../../tooling/database.ts';
import { createRandom, type Random } from '../../tooling/random.ts';
import { withDataDir } from '../../tooling/server-process.ts';
import { Counts } from '../../tooling/statistics.ts';
import { responds, until } from '../../tooling/until.ts';
import { pause } from '../outage.ts';
import {
  checkDocument,
  type Found,
  isExcused,
  lateMillisecondsMax,
  type Outage,
  type ScheduledVersion,
  type ShownProposal,
} from './check.ts';
import { type Change, type Edit, firstState, placesOf, planOf, type ScheduledState } from './plan.ts';
import { openScheduleStage, type ScheduleStage } from './stage.ts';

export interface SchedulesOptions {
  readonly engine: Engine;
  readonly schedules: number;
  readonly projects: number;
  /** Over how many seconds they are spread. */
  readonly seconds: number;
  /** The pause after each disturbance. */
  readonly calmMilliseconds: { readonly from: number; readonly to: number };
  readonly seed: number;
}

export interface SchedulesReport extends Found {
  readonly disturbances: Counts;
  /** Versions written by others. */
  readonly otherVersions: number;
}

/** One document in so many is written all the time. */
const busyOneIn = 8;
const busyMilliseconds = 80;
const editMilliseconds = 200;
const settleMilliseconds = 60_000;

interface Run {
  readonly stage: ScheduleStage;
  readonly paths: readonly string[];
  readonly changes: readonly Change[];
  readonly edits: readonly Edit[];
  /** The id of each change's proposal. */
  readonly ids: Map<string, string>;
  readonly outages: Outage[];
  readonly late: string[];
  isOver: boolean;
}

/** Runs the attack on one engine. */
export function tortureSchedules(options: SchedulesOptions): Promise<SchedulesReport> {
  return withDataDir(async (folder) => {
    const random = createRandom(options.seed);
    const stage = await openScheduleStage(options.engine, folder, random.fork());
    try {
      return await run(stage, options, random);
    } finally {
      await stage.close();
    }
  });
}

async function run(stage: ScheduleStage, options: SchedulesOptions, random: Random): Promise<SchedulesReport> {
  const paths = await makeProjects(stage, options.projects);
  const places = placesOf(options.schedules, paths.length);
  await eachOf([...paths.entries()], 8, async ([index, path]) => {
    const body = { state: firstState(places, index) };
    expectStatus(await ask(stage, 'PUT', path, { headers: writesAfter(0), body }), 200);
  });
  // Fifteen proposals are made in a second at least, even on a busy machine.
  const from = Date.now() + 10_000 + options.schedules * 66;
  const plan = planOf(places, { from, milliseconds: options.seconds * 1_000 }, random);
  const run: Run = { stage, paths, ...plan, ids: new Map(), outages: [], late: [], isOver: false };
  await eachOf(run.changes, 8, (change) => propose(run, change));
  const others = Promise.all(paths.map((path, index) => writeDocument(run, path, index)));
  const looking = lookAfterEach(run);
  const last = Math.max(...run.changes.map(({ applyAt, revertAt }) => revertAt ?? applyAt));
  const disturbed = await disturb(run, random, options.calmMilliseconds, last);
  await looking;
  run.isOver = true;
  await others;
  return { ...(await report(run)), disturbances: disturbed };
}

async function makeProjects(stage: ScheduleStage, count: number): Promise<string[]> {
  const { credentials } = stage;
  const paths: string[] = [];
  for (let index = 0; index < count; index++) {
    const slug = `timed-${index}`;
    const path = `/v1/${credentials.accountId}/projects`;
    // Created by a request without an answer: 409.
    expectStatus(await ask(stage, 'POST', path, { body: { slug } }), 201, 409);
    for (const environment of environments) paths.push(publicStatePath({ ...credentials, slug }, environment));
  }
  return paths;
}

/** Runs `work` for every item, some at a time. */
async function eachOf<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

/** Sends a request until it is answered. */
async function ask(stage: ScheduleStage, method: string, path: string, options?: ApiRequest): Promise<ApiAnswer> {
  for (;;) {
    const answer = await stage.send(method, path, options);
    if (answer !== undefined) return answer;
    await sleep(50);
  }
}

async function propose(run: Run, { name, document, applyAt, revertAt }: Change): Promise<void> {
  const body = {
    baseVersion: 1,
    ops: [{ op: 'replace', path: `/values/${name}`, value: 1 }],
    comment: name,
    applyAt: new Date(applyAt).toISOString(),
    ...(revertAt !== null && { revertAt: new Date(revertAt).toISOString() }),
  };
  const path = `${run.paths[document]}/proposals`;
  const answer = await ask(run.stage, 'POST', path, { headers: { 'Idempotency-Key': name }, body });
  expectStatus(answer, 201);
  run.ids.set(name, (JSON.parse(answer.text) as { id: string }).id);
}

/** Writes a document for others: all the time if it is busy, and otherwise its edits. */
async function writeDocument(run: Run, path: string, index: number): Promise<void> {
  const isBusy = index % busyOneIn === 0;
  const own = run.edits.filter(({ document }) => document === index);
  while (!run.isOver) {
    await sleep(isBusy ? busyMilliseconds : editMilliseconds);
    const due = own.filter(({ at, doneAt }) => doneAt === undefined && at <= Date.now());
    if (!isBusy && due.length === 0) continue;
    const current = await run.stage.send('GET', path);
    if (current?.status !== 200) continue;
    const { version, state } = JSON.parse(current.text) as { version: number; state: ScheduledState };
    for (const edit of due) if (state.values[edit.name] === 2) edit.doneAt = Date.now();
    const open = due.filter(({ name, from }) => state.values[name] === from);
    if (!isBusy && open.length === 0) continue;
    const values = { ...state.values, ...Object.fromEntries(open.map(({ name }) => [name, 2])) };
    const body = { state: { noise: state.noise + 1, values } };
    const answer = await run.stage.send('PUT', path, { headers: writesAfter(version), body });
    if (answer?.status === 200) for (const edit of open) edit.doneAt = Date.now();
  }
}

/** Reads each proposal two seconds after each of its times, and notes those whose time has not been kept. */
async function lookAfterEach(run: Run): Promise<void> {
  const steps = run.changes.flatMap((change) => [
    { change, due: change.applyAt, isKept: ({ state }: ShownProposal) => state !== 'open' },
    ...(change.revertAt === null
      ? []
      : [
          { change, due: change.revertAt, isKept: (shown: ShownProposal) => shown.revertedAt !== null || !isComing(shown) },
        ]),
  ]);
  await Promise.all(
    steps.map(async ({ change: { name, document }, due, isKept }) => {
      await sleep(due + lateMillisecondsMax - Date.now());
      const lookedAt = Date.now();
      const answer = await ask(run.stage, 'GET', `${run.paths[document]}/proposals/${run.ids.get(name)}`);
      if (isKept(JSON.parse(answer.text) as ShownProposal) || isExcused(run.outages, due, lookedAt)) return;
      run.late.push(`${name} was not there ${lookedAt - due} ms after its time`);
    }),
  );
}

/** Whether something still happens to it by itself, and no fault is shown. */
const isComing = ({ state, failure, revertAt, revertedAt }: ShownProposal): boolean =>
  failure === null && (state === 'open' || (state === 'applied' && revertAt !== null && revertedAt === null));

/** After an outage, connections are made again, and what has become due meanwhile is caught up with. */
const recoveryMilliseconds = 1_500;

async function disturb(
  { stage, outages }: Run,
  random: Random,
  calm: SchedulesOptions['calmMilliseconds'],
  until_: number,
): Promise<Counts> {
  const happened = new Counts();
  for (let turn = 0; ; turn++) {
    await pause(random, calm);
    if (Date.now() > until_ + lateMillisecondsMax) return happened;
    const { name, isOutage, run } = stage.deck[turn % stage.deck.length] as ScheduleStage['deck'][number];
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    if (isOutage) outages.push(outage);
    await run();
    for (const { server } of stage.servers) {
      const otherwise = () => `after "${name}" a node is not ready:\n${server.output()}`;
      await until(() => responds(`${server.baseUrl}/readyz`), { withinMilliseconds: 30_000, otherwise });
    }
    outage.to = Date.now() + recoveryMilliseconds;
    happened.add(name);
  }
}

async function report(run: Run): Promise<Omit<SchedulesReport, 'disturbances'>> {
  const { outages, edits, changes } = run;
  const found: Found = { counts: new Counts(), delays: [], faults: [...run.late] };
  let otherVersions = 0;
  for (const [index, path] of run.paths.entries()) {
    const own = changes.filter(({ document }) => document === index);
    await until(async () => (await listProposals(run, path)).every((shown) => !isComing(shown)), {
      withinMilliseconds: settleMilliseconds,
      everyMilliseconds: 500,
      otherwise: '',
    }).catch(() => undefined);
    const versions = await listVersions(run, path);
    const proposals = await listProposals(run, path);
    otherVersions += versions.filter(({ comment }) => comment === null).length;
    checkDocument({ path, changes: own, edits, proposals, versions, outages }, found);
  }
  for (const { server, isUp } of run.stage.servers)
    if (isUp && !server.isRunning()) found.faults.push(`a node ended by itself:\n${server.output()}`);
  return { ...found, otherVersions };
}

async function listProposals(run: Run, path: string): Promise<ShownProposal[]> {
  const answer = await ask(run.stage, 'GET', `${path}/proposals?limit=100`);
  expectStatus(answer, 200);
  return (JSON.parse(answer.text) as { items: ShownProposal[] }).items;
}

async function listVersions(run: Run, path: string): Promise<ScheduledVersion[]> {
  const answer = await ask(run.stage, 'GET', `${path}/versions`);
  expectStatus(answer, 200);
  return (JSON.parse(answer.text) as ScheduledVersion[]).sort((one, other) => one.version - other.version);
}
