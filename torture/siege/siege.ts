/**
 * Lays siege to a server with default settings: one attack after the other, each of somebody who is nobody in particular, while
 * others ask whether it lives and write. None of it may make others wait, make the process large, or reach what it must not.
 */
import { closeBenchDatabases } from '../../bench/database.ts';
import { withDataDir } from '../server-process.ts';
import { type Attack, type Engine, type Finding, type SiegeCase, type Size, sleep, type Target } from './case.ts';
import { siegeCases } from './cases.ts';
import { openStage, type Stage } from './stage.ts';
import { type InputWait, type Verdict, verdictOf, worstInputs } from './verdict.ts';

export interface SiegeOptions {
  readonly size: Size;
  readonly engines: readonly Engine[];
  /** Only the cases whose name holds this text. */
  readonly only: string | undefined;
  readonly seed: number;
  /** Takes each row as soon as it is known. */
  onRow(row: Row): void;
}

/** What became of one case on one engine. */
export interface Row extends Verdict {
  readonly name: string;
  readonly engine: Engine;
  readonly finding: Finding;
  readonly worstInputs: readonly InputWait[];
  /** How long the case took, with all that was tried again. */
  readonly seconds: number;
}

/** The best of so many tries counts, each but the first on a server that has just been started: a busy machine breaks one, not all. */
const triesMax = 3;
/** After an attack, for what it has left behind to be seen. */
const afterMilliseconds = 300;
const baselineMilliseconds = { whole: 2_000, small: 250 };
/** After what an attack needs was made, which is work as well. */
const settleMilliseconds = 50;
const leftBytesMax = 64 * 2 ** 20;
const worstInputsShown = 10;

/** Runs the cases on each engine. Rejects when a server cannot be started. */
export async function siege(options: SiegeOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  try {
    for (const engine of options.engines) rows.push(...(await besiege(engine, options)));
  } finally {
    await closeBenchDatabases();
  }
  return rows;
}

function besiege(engine: Engine, { size, seed, only, engines, onRow }: SiegeOptions): Promise<readonly Row[]> {
  const cases = siegeCases.filter(
    ({ name, isLarge, isApart, isQuick }) =>
      name.includes(only ?? '') &&
      !(size.isSmall && (isLarge || (isApart && engine !== engines[0]))) &&
      !(size.isQuick && !isQuick),
  );
  return withDataDir(async (dataDir) => {
    const stage = await openStage({ engine, dataDir, size, seed });
    const rows: Row[] = [];
    try {
      for (const one of cases) {
        const startedAt = performance.now();
        // What attacks before it have left is not held against a case.
        if (stage.server.residentBytes() - stage.residentBytesBefore > leftBytesMax) await stage.restart();
        const best = await bestOf(stage, one);
        const row = { ...best, seconds: (performance.now() - startedAt) / 1_000 };
        rows.push(row);
        onRow(row);
      }
      return rows;
    } finally {
      await stage.close();
    }
  });
}

type Try = Omit<Row, 'seconds'>;

async function bestOf(stage: Stage, one: SiegeCase): Promise<Try> {
  let best = await attempt(stage, one);
  for (let tried = 1; best.faults.length > 0; tried++) {
    await stage.restart();
    // What an answer broke breaks every time.
    if (tried === triesMax || best.faults.length === best.finding.faults?.length) break;
    const again = await attempt(stage, one);
    if (isBetter(again, best)) best = again;
  }
  return best;
}

const prepared = async ({ prepare }: SiegeCase, target: Target): Promise<Attack> => prepare(target);

function isBetter(one: Try, other: Try): boolean {
  if (one.faults.length !== other.faults.length) return one.faults.length < other.faults.length;
  return one.figures.waitMilliseconds < other.figures.waitMilliseconds;
}

async function attempt(stage: Stage, one: SiegeCase): Promise<Try> {
  const { watch, residentBytesBefore, target, server } = stage;
  const failed = (error: Error): Finding => ({ sent: 'nothing', faults: [error.stack ?? error.message] });
  const attack = await prepared(one, target).catch(
    (error: Error): Attack =>
      async () =>
        failed(error),
  );
  await sleep(settleMilliseconds);
  watch.begin();
  await sleep(target.sized(baselineMilliseconds.whole, baselineMilliseconds.small));
  const baseline = await watch.end();
  watch.begin();
  const finding = await attack().catch(failed);
  await sleep(afterMilliseconds);
  const attacked = await watch.end();
  const { figures, faults } = verdictOf({
    attacked,
    baseline,
    residentBytesBefore,
    finding,
    tolerance: target.size.tolerance,
  });
  return {
    name: one.name,
    engine: target.engine,
    finding,
    figures,
    faults: server.isRunning() ? faults : [...faults, `the server ended:\n${server.output()}`],
    worstInputs: worstInputs(finding, attacked.waits, worstInputsShown),
  };
}
