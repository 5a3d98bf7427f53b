/**
 * Changes at set times over nodes that are killed, cut off and put to sleep, while others write the same documents: each is applied once and
 * reverted once, soon after its time, and what conflicts is reported. What the nodes say is compared with the versions of the documents, and
 * each step is looked for from its time on. Only time while the service is up counts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '@holdfast/contract';
import { type ApiAnswer, type ApiRequest, expectStatus, writesAfter } from '../../tooling/api.ts';
import { publicStatePath } from '../../tooling/credentials.ts';
import type { Engine } from '../../tooling/database.ts';
import { createRandom, type Random } from '../../tooling/random.ts';
import { withDataDir } from '../../tooling/server-process.ts';
import { Counts, sumOf } from '../../tooling/statistics.ts';
import { responds, until } from '../../tooling/until.ts';
import { pause } from '../outage.ts';
import { checkDocument, type Found, type Outage, type ScheduledVersion, type ShownProposal, upBetween } from './check.ts';
import { type Change, changesAt, type Edit, editsAgainst, firstState, placesOf, type ScheduledState } from './plan.ts';
import { openScheduleStage, type ScheduleStage } from './stage.ts';

export interface SchedulesOptions {
  readonly engine: Engine;
  readonly schedules: number;
  readonly projects: number;
  /** Over how many seconds they are spread. */
  readonly seconds: number;
  /** Between a change and what follows, such as its revert. */
  readonly paceMilliseconds: number;
  /** The pause after each disturbance, or as long as that lasted. */
  readonly calmMilliseconds: { readonly from: number; readonly to: number };
  /** For how long the service may be up before it takes a step that is due. */
  readonly lateMillisecondsMax: number;
  readonly seed: number;
}

export interface SchedulesReport extends Found {
  readonly disturbances: Counts;
  /** For how many milliseconds the service was down. */
  readonly down: number;
  /** Versions written by others. */
  readonly otherVersions: number;
}

/** One document in so many is written all the time. */
const busyOneIn = 8;
const busyMilliseconds = 80;
const editMilliseconds = 200;
const settleMilliseconds = 60_000;
/** How long it takes to propose a change, at the least; those that take longer move. */
const proposalMilliseconds = 20;
const lookMilliseconds = 500;

interface Run {
  readonly options: SchedulesOptions;
  readonly stage: ScheduleStage;
  readonly paths: readonly string[];
  readonly changes: readonly Change[];
  edits: readonly Edit[];
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
  const { schedules, seconds, paceMilliseconds } = options;
  const from = Date.now() + paceMilliseconds + schedules * proposalMilliseconds;
  const changes = changesAt(places, { from, milliseconds: seconds * 1_000 }, paceMilliseconds, random);
  const run: Run = { options, stage, paths, changes, edits: [], ids: new Map(), outages: [], late: [], isOver: false };
  await eachOf(changes, 8, (change) => propose(run, change));
  run.edits = editsAgainst(changes, paceMilliseconds);
  const others = Promise.all(paths.map((path, index) => writeDocument(run, path, index)));
  const looking = lookForEach(run);
  await sleep(Math.max(0, from - Date.now()));
  const disturbed = await disturb(run, random, Math.max(...changes.map(({ applyAt, revertAt }) => revertAt ?? applyAt)));
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

async function propose(run: Run, change: Change): Promise<void> {
  const { name, document } = change;
  const path = `${run.paths[document]}/proposals`;
  for (let tries = 1; ; tries++) {
    const { applyAt, revertAt } = change;
    const body = {
      baseVersion: 1,
      ops: [{ op: 'replace', path: `/values/${name}`, value: 1 }],
      comment: name,
      applyAt: new Date(applyAt).toISOString(),
      ...(revertAt !== null && { revertAt: new Date(revertAt).toISOString() }),
    };
    const answer = await ask(run.stage, 'POST', path, { headers: { 'Idempotency-Key': `${name}-${tries}` }, body });
    if (answer.status === 201) {
      run.ids.set(name, (JSON.parse(answer.text) as { id: string }).id);
      return;
    }
    // Its time came before its proposal.
    expectStatus(answer, 400);
    const later = Date.now() + run.options.paceMilliseconds * tries - applyAt;
    if (later < 0) throw new Error(`${name} is refused: ${answer.text}`);
    change.applyAt += later;
    if (revertAt !== null) change.revertAt = revertAt + later;
  }
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

/** Looks for each step from its time on, until it is there. Notes those that are not, though the service was up for long enough. */
async function lookForEach({
  options: { lateMillisecondsMax },
  stage,
  paths,
  changes,
  ids,
  outages,
  late,
}: Run): Promise<void> {
  const steps = changes.flatMap((change) => [
    { change, due: change.applyAt, isKept: ({ state }: ShownProposal) => state !== 'open' },
    ...(change.revertAt === null
      ? []
      : [
          { change, due: change.revertAt, isKept: (shown: ShownProposal) => shown.revertedAt !== null || !isComing(shown) },
        ]),
  ]);
  await Promise.all(
    steps.map(async ({ change: { name, document }, due, isKept }) => {
      await sleep(Math.max(0, due - Date.now()));
      for (;;) {
        await sleep(lookMilliseconds);
        const up = upBetween(outages, due, Date.now());
        const answer = await ask(stage, 'GET', `${paths[document]}/proposals/${ids.get(name)}`);
        if (isKept(JSON.parse(answer.text) as ShownProposal)) return;
        if (up <= lateMillisecondsMax) continue;
        late.push(`${name} was not there after ${up} ms in which the service was up`);
        return;
      }
    }),
  );
}

/** Whether something still happens to it by itself, and no fault is shown. */
const isComing = ({ state, failure, revertAt, revertedAt }: ShownProposal): boolean =>
  failure === null && (state === 'open' || (state === 'applied' && revertAt !== null && revertedAt === null));

async function disturb({ options, stage, outages }: Run, random: Random, until_: number): Promise<Counts> {
  const happened = new Counts();
  for (let turn = 0; ; turn++) {
    await pause(random, options.calmMilliseconds);
    if (Date.now() > until_) return happened;
    const { name, isOutage, run } = stage.deck[turn % stage.deck.length] as ScheduleStage['deck'][number];
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    if (isOutage) outages.push(outage);
    await run();
    for (const { server } of stage.servers) {
      const otherwise = () => `after "${name}" a node is not ready:\n${server.output()}`;
      await until(() => responds(`${server.baseUrl}/readyz`), { withinMilliseconds: 30_000, otherwise });
    }
    outage.to = Date.now();
    happened.add(name);
    // As much is seen of the service without as with disturbances, however long these take on a busy machine.
    await sleep(outage.to - outage.from);
  }
}

async function report(run: Run): Promise<Omit<SchedulesReport, 'disturbances'>> {
  const { outages, edits, changes } = run;
  const { lateMillisecondsMax } = run.options;
  const found: Found = { counts: new Counts(), delays: [], delayed: 0, faults: [...run.late] };
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
    checkDocument({ path, changes: own, edits, proposals, versions, outages, lateMillisecondsMax }, found);
  }
  for (const { server, isUp } of run.stage.servers)
    if (isUp && !server.isRunning()) found.faults.push(`a node ended by itself:\n${server.output()}`);
  return { ...found, otherVersions, down: sumOf(outages, ({ from, to }) => to - from) };
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
