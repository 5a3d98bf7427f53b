import { describe, expect, test } from 'vitest';
import { noTolerance } from '../torture/siege/case.ts';
import { hostileText, textKinds } from '../torture/siege/hostile-text.ts';
import { verdictOf, worstInputs } from '../torture/siege/verdict.ts';
import type { Watched } from '../torture/siege/watch.ts';

const calm: Watched = {
  waits: [{ at: 0, milliseconds: 20 }],
  probes: 100,
  failedProbes: 0,
  firstFailure: undefined,
  writes: 10,
  longestWriteMilliseconds: 30,
  residentBytesPeak: 100 * 2 ** 20,
};
const evidence = {
  attacked: calm,
  baseline: calm,
  residentBytesBefore: 90 * 2 ** 20,
  finding: { sent: 'nothing' },
  tolerance: noTolerance,
};

describe('the verdict of a siege', () => {
  test('holds if all is within the limits', () => {
    const { figures, faults } = verdictOf(evidence);
    expect(figures).toEqual({ waitMilliseconds: 0, growthMebibytes: 10, writeMilliseconds: 0 });
    expect(faults).toEqual([]);
  });

  test.each([
    ['a wait', { waits: [{ at: 0, milliseconds: 71 }] }, 'others waited 51 ms'],
    ['a large process', { residentBytesPeak: 219 * 2 ** 20 }, 'the server grew by 129 MiB'],
    ['a slow write for others', { longestWriteMilliseconds: 1_031 }, 'a write of somebody else took 1001 ms'],
    ['a failed request', { failedProbes: 2, firstFailure: 'status 503' }, '2 of 100 probes of others failed: status 503'],
    ['writes that never succeed', { writes: 0 }, 'no write of somebody else succeeded'],
  ])('fails because of %s', (_, changes, fault) => {
    expect(verdictOf({ ...evidence, attacked: { ...calm, ...changes } }).faults).toEqual([fault]);
  });

  test('fails because of a finding of the attack', () => {
    expect(verdictOf({ ...evidence, finding: { sent: 'x', faults: ['it was let in'] } }).faults).toEqual(['it was let in']);
  });

  test.each([
    ['waits', { waits: [{ at: 0, milliseconds: 120 }] }, 'waitMilliseconds', 50, 'others waited 100 ms'],
    ['growth', { residentBytesPeak: 248 * 2 ** 20 }, 'growthMebibytes', 30, 'the server grew by 158 MiB'],
    ['writes', { longestWriteMilliseconds: 1_530 }, 'writeMilliseconds', 500, 'a write of somebody else took 1500 ms'],
  ])('a tolerance of %s is added to the limit', (_, changes, name, enough, fault) => {
    const faults = (allowed: number) =>
      verdictOf({ ...evidence, attacked: { ...calm, ...changes }, tolerance: { ...noTolerance, [name]: allowed } }).faults;
    expect(faults(enough)).toEqual([]);
    expect(faults(enough - 1)).toEqual([fault]);
  });

  test('a slow machine excuses tens of milliseconds but never hundreds', () => {
    const slow = { ...calm, waits: [{ at: 0, milliseconds: 5_000 }] };
    expect(verdictOf({ ...evidence, attacked: slow, baseline: slow }).figures.waitMilliseconds).toBe(4_950);
  });
});

test('waits are attributed to the inputs in progress', () => {
  const inputs = [
    { name: 'quick', from: 0, to: 10 },
    { name: 'slow', from: 10, to: 400 },
    { name: 'slow', from: 400, to: 410 },
  ];
  const waits = [
    { at: 20, milliseconds: 370 },
    { at: 2, milliseconds: 4 },
  ];
  expect(worstInputs({ sent: 'x', inputs }, waits, 10)).toEqual([
    { name: 'slow', milliseconds: 370 },
    { name: 'quick', milliseconds: 4 },
  ]);
});

test.each(textKinds)('a text of $name has the requested size', (kind) => {
  const bytes = Buffer.byteLength(hostileText(kind, 65_536));
  expect(bytes).toBeLessThanOrEqual(65_536);
  expect(bytes).toBeGreaterThan(65_530);
});
