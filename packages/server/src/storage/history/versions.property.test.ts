/** Every version of a random history can be read, in any selection; and damage never yields another text. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../rows/columns.ts';
import { type Change, chains } from './chains.fixture.ts';
import { restoreVersions } from './restore-versions.ts';
import { encodeVersion, KeptVersion, runVersionsMax } from './versions.ts';

/** `HOLDFAST_HISTORY_RUNS=100000` tries a hundred thousand histories. */
const numRuns = Number(process.env.HOLDFAST_HISTORY_RUNS ?? 300);
/** Generous, because a busy machine must not fail the test. */
const timeout = 60_000 + numRuns * 40;

interface Written {
  /** Oldest first. */
  readonly rows: Row[];
  readonly versions: KeptVersion[];
}

/** The text after encoding as UTF-8 and back. */
const stored = (text: string) => Buffer.from(text).toString();

/** The contents of a store after these writes. It forgets the version before some of them, as a cache does. */
function write(changes: readonly Change[], forgets: (version: number) => boolean): Written {
  const rows: Row[] = [];
  const versions: KeptVersion[] = [];
  for (const [index, change] of changes.entries()) {
    const version = index + 1;
    const stateBytes = Buffer.byteLength(change.stateText);
    const next = { ...change, stateBytes, comment: null, writtenAt: 0, author: null };
    const before = forgets(version) ? undefined : versions.at(-1);
    const { state, depth, checksum, position } = encodeVersion(next, before, 0);
    rows.push({ version, depth, checksum, state: stored(state), state_bytes: stateBytes, comment: null });
    versions.push(new KeptVersion(version, { ...change, stateBytes, comment: null }, { position, checksum }));
  }
  return { rows, versions };
}

/** The rows that a store reads for the versions from `oldest` to `newest`: newest first, back to a whole one. */
function rowsOf({ rows }: Written, oldest: number, newest: number, after = 0): Row[] {
  let first = oldest;
  while (first > 1 && first - 1 > after && rows[first - 1]?.depth !== 0) first--;
  return rows.slice(first - 1, newest).reverse();
}

const textsOf = (versions: readonly { readonly stateText: string }[]) => versions.map(({ stateText }) => stateText);

/** Which versions are written without the previous one, and where reading begins and ends. */
const choices = fc.record({ forgets: fc.nat(9), oldest: fc.nat(), newest: fc.nat(), known: fc.nat() });
const anyChains = fc.oneof(
  { weight: 3, arbitrary: chains(12, false) },
  { weight: 1, arbitrary: chains(80, false) },
  { weight: 1, arbitrary: chains(12, true) },
);

test('every version is readable, alone, in a list, and from a known version', { timeout }, () => {
  fc.assert(
    fc.property(anyChains, choices, (changes, { forgets, oldest, newest, known }) => {
      const written = write(changes, (version) => forgets > 6 && version % forgets === 0);
      const texts = changes.map(({ stateText }) => stored(stateText));
      const count = texts.length;
      for (let version = 1; version <= count; version++) {
        const rows = rowsOf(written, version, version);
        if (rows.length > runVersionsMax) throw new Error(`${rows.length} rows for version ${version}`);
        const [read] = restoreVersions(rows, version, () => 'it');
        if (read?.stateText !== texts[version - 1]) throw new Error(`version ${version} is another one`);
        expect(KeptVersion.basisOf(read as KeptVersion)).toEqual(
          KeptVersion.basisOf(written.versions[version - 1] as KeptVersion),
        );
      }
      const to = 1 + (newest % count);
      const from = 1 + (oldest % to);
      const listed = restoreVersions(rowsOf(written, from, to), from, () => 'it');
      expect(textsOf(listed)).toEqual(texts.slice(from - 1, to).reverse());
      const base = written.versions[known % to] as KeptVersion;
      if (base.version >= to) return;
      const [next] = restoreVersions(rowsOf(written, to, to, base.version), to, () => 'it', base);
      expect(next?.stateText).toBe(texts[to - 1]);
    }),
    { numRuns },
  );
});

test('stored versions are never longer than the texts, and edits at most half of their whole text', { timeout }, () => {
  fc.assert(
    fc.property(anyChains, (changes) => {
      const { rows, versions } = write(changes, () => false);
      for (const [index, row] of rows.entries()) {
        expect((row.state as string).length).toBeLessThanOrEqual((changes[index] as Change).stateText.length);
        const { depth, editCharacters, wholeCharacters } = KeptVersion.basisOf(versions[index] as KeptVersion).position;
        expect(depth).toBeLessThan(runVersionsMax);
        expect(editCharacters).toBeLessThanOrEqual(wholeCharacters / 2);
      }
    }),
    { numRuns },
  );
});

const damages = fc.record({
  row: fc.nat(),
  at: fc.nat(999),
  kind: fc.constantFrom('flip', 'cut', 'double', 'swap', 'lose', 'checksum', 'depth'),
});

test('a damaged row gives the written text or an error that names the version', { timeout }, () => {
  let damaged = 0;
  fc.assert(
    fc.property(chains(40, false), damages, (changes, { row, at, kind }) => {
      const { rows, versions } = write(changes, () => false);
      const index = row % rows.length;
      const spoilt = rows.with(index, damage(rows[index] as Row, kind, at, rows[index - 1]));
      if (kind === 'lose' && rows.length > 1) spoilt.splice(index, 1);
      for (const [position, { version }] of spoilt.entries()) {
        const kept = { rows: spoilt.slice(0, position + 1), versions };
        try {
          const [read] = restoreVersions(rowsOf(kept, position + 1, position + 1), version as number, () => 'it');
          if (read?.stateText !== stored((changes[(version as number) - 1] as Change).stateText)) throw new Error('wrong');
        } catch (error) {
          expect((error as Error).message).toBe(
            `version ${version} of it is damaged: what is stored is not what was written`,
          );
          expect(runsTogether(rows, index, (version as number) - 1)).toBe(true);
          damaged++;
        }
      }
    }),
    { numRuns },
  );
  expect(damaged).toBeGreaterThan(numRuns / 3);
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
      return { ...row, state: other?.state ?? '' };
    case 'checksum':
      return { ...row, checksum: (row.checksum as number) ^ (1 << (at % 32)) };
    case 'depth':
      return { ...row, depth: (row.depth as number) + 1 };
    default:
      return row;
  }
}

/** Whether a version is in the run of a damaged row, after it. */
function runsTogether(rows: readonly Row[], damagedIndex: number, index: number): boolean {
  return index >= damagedIndex && rows.slice(damagedIndex + 1, index + 1).every(({ depth }) => depth !== 0);
}
