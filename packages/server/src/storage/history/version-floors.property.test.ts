/** Random histories with occasional raises of the floor: no number is used twice, and every version is read as the engines read it. */
import { Buffer } from 'node:buffer';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../rows/columns.ts';
import { type Change, chains } from './chains.fixture.ts';
import { restoreVersion } from './restore-versions.ts';
import { encodeReplaced, type Newest, restoreUserStates, wholeEvery } from './user-state-versions.ts';
import {
  ceilingSql,
  nextVersion,
  nextVersionSql,
  raisedFloor,
  versionMax,
  versionsAheadDefault,
} from './version-floors.ts';
import { encodeVersion, KeptVersion } from './versions.ts';

const numRuns = Number(process.env.HOLDFAST_HISTORY_RUNS ?? 200);
const timeout = 60_000 + numRuns * 40;
const stored = (text: string) => Buffer.from(text).toString();

/** Before some writes the store goes back by so many versions, and the floor is raised above all that were ever assigned. */
const restores = fc.array(fc.record({ at: fc.nat(40), by: fc.nat(5), ahead: fc.constantFrom(1, 2, 31, 33, 1_000_000) }), {
  maxLength: 3,
});
const histories = fc.record({ changes: chains(40, false), restores });

interface Step {
  readonly change: Change;
  readonly floor: number;
  /** How many of the newest versions the store has lost. */
  readonly lost: number;
}

function stepsOf({
  changes,
  restores: all,
}: {
  changes: readonly Change[];
  restores: readonly { at: number; by: number; ahead: number }[];
}) {
  let floor = 0;
  let highest = 0;
  let current = 0;
  const given: number[] = [];
  const steps: Step[] = [];
  const line: number[] = [];
  for (const [index, change] of changes.entries()) {
    let lost = 0;
    for (const { at, by, ahead } of all) {
      if (at !== index) continue;
      const back = Math.min(by, line.length);
      line.splice(line.length - back, back);
      lost += back;
      floor = raisedFloor(Math.max(highest, floor), ahead) as number;
    }
    current = nextVersion(line.at(-1) ?? 0, floor);
    line.push(current);
    given.push(current);
    highest = Math.max(highest, current);
    steps.push({ change, floor, lost });
  }
  return { steps, given };
}

test('every new version is above all earlier ones', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { given } = stepsOf(history);
      for (const [index, version] of given.entries()) expect(version).toBeGreaterThan(given[index - 1] ?? 0);
    }),
    { numRuns },
  );
});

test('public state is read across jumps by its numbers and depths', { timeout }, () => {
  fc.assert(
    fc.property(histories, (history) => {
      let rows: Row[] = [];
      let versions: KeptVersion[] = [];
      for (const { change, floor, lost } of stepsOf(history).steps) {
        rows = rows.slice(0, rows.length - lost);
        versions = versions.slice(0, versions.length - lost);
        const before = versions.at(-1);
        const stateBytes = Buffer.byteLength(change.stateText);
        const next = { ...change, stateBytes, comment: null, writtenAt: 0, author: null };
        const { state, depth, checksum, position } = encodeVersion(next, before, floor);
        const version = nextVersion(before?.version ?? 0, floor);
        rows.push({ version, depth, checksum, state: stored(state), state_bytes: stateBytes, comment: null });
        versions.push(new KeptVersion(version, { ...change, stateBytes, comment: null }, { position, checksum }));
      }
      for (const { version, stateText } of versions) {
        const depth = rows.find((row) => row.version === version)?.depth as number;
        const run = rows.filter((row) => (row.version as number) <= version && (row.version as number) >= version - depth);
        expect(restoreVersion(run.reverse(), version, () => 'it').stateText).toBe(stored(stateText));
      }
    }),
    { numRuns },
  );
});

test('user states are read across jumps from the later rows of a run', { timeout }, () => {
  fc.assert(
    fc.property(histories, (history) => {
      let rows: { row: Row; text: string }[] = [];
      let newest: Newest | undefined;
      for (const { change, floor, lost } of stepsOf(history).steps) {
        for (let back = 0; back < lost && newest !== undefined; back++) {
          // The contents of a backup: the user state at that time.
          const last = rows.pop();
          newest = last && {
            version: last.row.version as number,
            stateText: last.text,
            continues: (last.row.form as number) < 2,
          };
        }
        if (newest !== undefined) {
          const kept = encodeReplaced(newest, change, newest.continues, floor);
          rows.push({ row: { version: newest.version, ...kept, state: stored(kept.state) }, text: newest.stateText });
        }
        newest = {
          version: nextVersion(newest?.version ?? 0, floor),
          stateText: stored(change.stateText),
          continues: newest !== undefined,
        };
      }
      for (const { row, text } of rows) {
        const version = row.version as number;
        const window = rows
          .map((each) => each.row)
          .filter((each) => (each.version as number) >= version && (each.version as number) < version + wholeEvery)
          .reverse();
        const isNear = (newest as Newest).version <= version + wholeEvery;
        const [read] = restoreUserStates(window, version, () => 'it', isNear ? newest : undefined);
        expect(read?.stateText).toBe(text);
      }
      rows = [];
    }),
    { numRuns },
  );
});

test('SQL and functions agree, and ceilings stay near the versions', () => {
  const database = new DatabaseSync(':memory:');
  const statement = database.prepare(
    `SELECT ${nextVersionSql('?1', '?2')} AS next, ${ceilingSql('?1 + 1', '?3', '?2')} AS ceiling`,
  );
  const numbers = fc.oneof(fc.nat(100), fc.nat(versionMax - 1), fc.constantFrom(versionMax - 1, versionsAheadDefault));
  fc.assert(
    fc.property(numbers, numbers, numbers, (version, floor, environmentFloor) => {
      const row = statement.get(version, floor, environmentFloor) as { next: number; ceiling: number };
      expect(row.next).toBe(nextVersion(version, floor));
      const base = Math.max(environmentFloor, floor - 1);
      if (version < base) return;
      expect(row.ceiling).toBeGreaterThanOrEqual(version + 1);
      expect(row.ceiling).toBeLessThanOrEqual(Math.min(versionMax, version + 1 + (version + 1 - base)));
    }),
  );
  database.close();
});

test('a floor over the exact range of clients is refused', () => {
  expect(raisedFloor(3, versionsAheadDefault)).toBe(1_000_003);
  expect(raisedFloor(versionMax - 1, 1)).toBe(versionMax);
  expect(raisedFloor(versionMax, 1)).toBeUndefined();
});
