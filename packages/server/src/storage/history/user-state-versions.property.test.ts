/**
 * Every version of a random history of a user state can be read, whatever was dropped or never kept; and damage never yields another text.
 */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../rows/columns.ts';
import { type Change, chains } from './chains.fixture.ts';
import { encodeReplaced, type Newest, restoreUserStates, UserStateTexts, wholeEvery } from './user-state-versions.ts';

/** `HOLDFAST_HISTORY_RUNS=100000` tries a hundred thousand histories. */
const numRuns = Number(process.env.HOLDFAST_HISTORY_RUNS ?? 300);
/** Generous, because a busy machine must not fail the test. */
const timeout = 60_000 + numRuns * 40;

/** The text after encoding as UTF-8 and back. */
const stored = (text: string) => Buffer.from(text).toString();

interface Written {
  /** Newest first. */
  readonly rows: Row[];
  readonly newest: Newest;
  /** The text of each version, from 1. */
  readonly texts: readonly string[];
  /** Versions that were replaced without being kept. */
  readonly lost: readonly number[];
}

/** The contents of a store after these writes; some of them keep nothing of what they replace, as an older program does. */
function write(changes: readonly Change[], first: number, keepsNothing: (version: number) => boolean): Written {
  const rows: Row[] = [];
  const lost: number[] = [];
  let newest: Newest | undefined;
  for (const [index, change] of changes.entries()) {
    const version = first + index;
    if (newest !== undefined) {
      const keeps = !keepsNothing(version);
      if (keeps) rows.push({ version: newest.version, ...encodeReplaced(newest, change, newest.continues, 0) });
      else lost.push(newest.version);
      newest = { version, stateText: stored(change.stateText), continues: keeps };
    } else newest = { version, stateText: stored(change.stateText), continues: true };
  }
  const texts = changes.map(({ stateText }) => stored(stateText));
  const kept = rows.map((row) => ({ ...row, state: stored(row.state as string) }));
  return { rows: kept.reverse(), newest: newest as Newest, texts, lost };
}

const anyChains = fc.oneof(
  { weight: 3, arbitrary: chains(12, false) },
  { weight: 1, arbitrary: chains(100, false) },
  { weight: 1, arbitrary: chains(12, true) },
);
const choices = fc.record({ first: fc.nat(70), dropped: fc.nat(100), from: fc.nat(), forgets: fc.nat(12) });

test('every version is readable, alone and in a list, whatever was dropped', { timeout }, () => {
  fc.assert(
    fc.property(anyChains, choices, (changes, { first, dropped, from }) => {
      const begin = first + 1;
      const { rows, newest, texts } = write(changes, begin, () => false);
      const left = rows.slice(0, Math.max(0, rows.length - dropped));
      const oldest = newest.version - left.length;
      for (let version = oldest; version < newest.version; version++) {
        const window = left.filter(
          (row) => (row.version as number) >= version && (row.version as number) < version + wholeEvery,
        );
        const isNear = newest.version <= version + wholeEvery;
        const read = restoreUserStates(window, version, () => 'it', isNear ? newest : undefined);
        if (read[0]?.stateText !== texts[version - begin]) throw new Error(`version ${version} is another one`);
      }
      const top = oldest + (from % (left.length + 1));
      const window = left.filter((row) => (row.version as number) < top + wholeEvery);
      const isNear = newest.version <= top + wholeEvery;
      const listed = restoreUserStates(window, top, () => 'it', isNear ? newest : undefined);
      const wanted = left.filter((row) => (row.version as number) <= top);
      expect(listed.map(({ stateText }) => stateText)).toEqual(wanted.map((row) => texts[(row.version as number) - begin]));
    }),
    { numRuns },
  );
});

test('versions not kept by an older program are lost with their dependants, the rest is readable', { timeout }, () => {
  fc.assert(
    fc.property(anyChains, choices, (changes, { forgets }) => {
      const { rows, newest, texts, lost } = write(changes, 1, (version) => forgets > 1 && version % forgets === 0);
      const way = new UserStateTexts(newest);
      for (const row of rows) {
        const found = way.take(row);
        if (found.kind === 'text') expect(found.text).toBe(texts[(row.version as number) - 1]);
        else {
          expect(found.kind).toBe('gone');
          expect(lost.some((version) => version > (row.version as number))).toBe(true);
        }
      }
    }),
    { numRuns },
  );
});

test('edits take at most a sixteenth of their text, and one of 32 versions is whole', { timeout }, () => {
  fc.assert(
    fc.property(anyChains, (changes) => {
      const { rows, texts } = write(changes, 1, () => false);
      for (const { version, form, state } of rows) {
        const text = texts[(version as number) - 1] as string;
        if (form === 0) expect(state).toBe(text);
        else expect((state as string).length * 16).toBeLessThanOrEqual(text.length);
        if ((version as number) % wholeEvery === 0) expect(form).toBe(0);
      }
    }),
    { numRuns },
  );
});

test('several changes far apart are kept as separate edits', () => {
  const before = `{"a":1,"long":"${'x'.repeat(4_000)}","z":1}`;
  const after = before.replace('"a":1', '"a":22').replace('"z":1', '"z":333');
  const edits = [
    { start: 5, end: 6, replacement: '22' },
    { start: before.length - 1, end: before.length, replacement: '333' },
  ];
  const { state, form } = encodeReplaced({ version: 1, stateText: before }, { stateText: after, edits }, true, 0);
  expect(form).toBe(1);
  expect(state.length).toBeLessThan(40);
});

const damages = fc.record({
  row: fc.nat(),
  at: fc.nat(999),
  kind: fc.constantFrom('flip', 'cut', 'double', 'swap', 'lose', 'checksum', 'form'),
});

test('a damaged row gives the written text or is found to be damaged', { timeout }, () => {
  let damaged = 0;
  fc.assert(
    fc.property(chains(40, false), damages, (changes, { row, at, kind }) => {
      const { rows, newest, texts } = write(changes, 1, () => false);
      if (rows.length === 0) return;
      const index = row % rows.length;
      const spoilt = rows.with(index, damage(rows[index] as Row, kind, at, rows[index - 1]));
      if (kind === 'lose') spoilt.splice(index, 1);
      const way = new UserStateTexts(newest);
      for (const each of spoilt) {
        const found = way.take(each);
        if (found.kind === 'text') {
          if (found.text !== texts[(each.version as number) - 1]) throw new Error('wrong');
        } else {
          expect(found.kind).toBe('damaged');
          expect(each.version as number).toBeLessThanOrEqual((rows[index] as Row).version as number);
          damaged++;
        }
      }
    }),
    { numRuns },
  );
  expect(damaged).toBeGreaterThan(numRuns / 4);
});

function damage(row: Row, kind: string, at: number, other: Row | undefined): Row {
  const state = row.state as string;
  const offset = Math.floor((state.length * at) / 1_000);
  switch (kind) {
    case 'flip':
      return { ...row, state: `${state.slice(0, offset)}${state[offset] === '1' ? '2' : '1'}${state.slice(offset + 1)}` };
    case 'cut':
      return { ...row, state: state.slice(0, offset) };
    case 'double':
      return { ...row, state: state + state };
    case 'swap':
      return { ...row, state: (other?.state as string | undefined) ?? '' };
    case 'checksum':
      return { ...row, checksum: (row.checksum as number) ^ (1 << (at % 32)) };
    case 'form':
      return { ...row, form: 1 - (row.form as number) };
    default:
      return row;
  }
}
