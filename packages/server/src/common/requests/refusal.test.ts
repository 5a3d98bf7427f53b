import { describe, expect, it } from 'vitest';
import { quoted } from '../text/quoted.ts';
import { Refusal } from './refusal.ts';

describe('a refusal', () => {
  it('keeps the public message and the internal cause apart', () => {
    const cause = new Error('disk on fire');
    const refusal = new Refusal('not_found', 'there is no such thing', { cause, details: { currentVersion: 4 } });
    expect(refusal).toMatchObject({
      code: 'not_found',
      status: 404,
      details: { currentVersion: 4 },
      emptyBody: false,
      cause,
    });
    expect(refusal.message).not.toContain('fire');
  });

  it('captures no stack, and leaves the stacks of faults alone', () => {
    const before = Error.stackTraceLimit;
    expect(new Refusal('forbidden', 'no').stack).not.toContain('refusal.test');
    expect(Error.stackTraceLimit).toBe(before);
    expect(new Error('fault').stack).toContain('refusal.test');
  });

  it('has no cause unless one is given', () => {
    expect('cause' in new Refusal('forbidden', 'no')).toBe(false);
  });
});

it('request text is quoted, escaped and shortened', () => {
  expect(quoted('a"b\r\n')).toBe('"a\\"b\\r\\n"');
  expect(quoted('x'.repeat(65))).toBe(`"${'x'.repeat(64)}…"`);
});
