import { describe, expect, test } from 'vitest';
import { freshSeed } from '../tooling/random.ts';
import { crash } from '../torture/crash.ts';
import { checkHistory, type HistoryEvidence } from '../torture/history.ts';
import { withPlace } from './support/place.ts';

/** `npm run torture -- --crash 1000` kills more often. */
const rounds = 2;

test(`kill -9 under a write load, ${rounds} times, loses no acknowledged write`, async () => {
  const seed = freshSeed();
  const report = await withPlace(({ settings }) => crash({ rounds, seed, env: settings }));
  expect(report.faults, `repeat with: npm run torture -- --crash ${rounds} --seed ${seed}`).toEqual([]);
  expect(report.rounds).toBe(rounds);
  // A load without writes cannot lose any.
  expect(report.acknowledgedWrites).toBeGreaterThan(rounds);
});

describe('the check of a history', () => {
  const stored = (version: number, content = `content ${version}`) => ({ version, contentHash: content });
  const sound: HistoryEvidence = {
    acknowledged: [stored(1), stored(2), stored(3)],
    inFlight: stored(4),
    found: [stored(3), stored(2), stored(1)],
  };

  test.each<[string, Partial<HistoryEvidence>]>([
    ['every acknowledged write', {}],
    ['every acknowledged write and the one in progress', { found: [stored(4), stored(3), stored(2), stored(1)] }],
    ['a history without a write in progress', { inFlight: undefined }],
    ['an empty history', { acknowledged: [], inFlight: stored(1), found: [] }],
    ['only the first write, in progress', { acknowledged: [], inFlight: stored(1), found: [stored(1)] }],
  ])('accepts %s', (_what, evidence) => {
    expect(checkHistory({ ...sound, ...evidence })).toEqual([]);
  });

  test.each<[string, Partial<HistoryEvidence>, RegExp]>([
    ['a lost newest write', { found: [stored(2), stored(1)] }, /version 3 .* lost/],
    ['a lost write in the middle', { found: [stored(3), stored(1)] }, /version 2 .* lost/],
    ['a lost history', { found: [] }, /version 1 .* lost/],
    ['a duplicate version', { found: [stored(3), stored(2), stored(2), stored(1)] }, /place 0 .* 3 where 4/],
    [
      'a gap before the write in progress',
      { inFlight: stored(5), found: [stored(5), ...sound.found] },
      /place 0 .* 5 where 4/,
    ],
    ['versions in reverse order', { found: [stored(1), stored(2), stored(3)] }, /place 0 .* 1 where 3/],
    ['changed content', { found: [stored(3), stored(2, 'content 1'), stored(1)] }, /version 2 .* other content/],
    [
      'changed content of the write in progress',
      { found: [stored(4, 'half'), ...sound.found] },
      /version 4, under way .* other content/,
    ],
    ['a write that nobody sent', { inFlight: undefined, found: [stored(4), ...sound.found] }, /version 4 .* nobody/],
    ['two writes too many', { found: [stored(5), stored(4), ...sound.found] }, /version 5 .* nobody/],
    [
      'a history without its first version',
      { acknowledged: [stored(2), stored(3)], found: [stored(3), stored(2)] },
      /place 0 .* 3 where 2/,
    ],
  ])('refuses %s', (_what, evidence, fault) => {
    expect(checkHistory({ ...sound, ...evidence }).join('\n')).toMatch(fault);
  });
});
