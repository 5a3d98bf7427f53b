import { describe, expect, it } from 'vitest';
import { readPathParameters, type SegmentName } from './path-parameters.ts';

const read = (name: SegmentName, segment: string) => Object.values(readPathParameters([name], [segment]))[0];

const malformed = (name: string) =>
  expect.objectContaining({ code: 'validation_error', message: expect.stringContaining(`path segment ${name}:`) });

describe('a segment that matches its rule', () => {
  it.each([
    ['accountId', 'acc_0', 'acc_0'],
    ['accountId', 'acc_7aZ', 'acc_7aZ'],
    ['accountId', '%61cc_7', 'acc_7'],
    ['slug', 'a', 'a'],
    ['slug', 'my-game_2', 'my-game_2'],
    ['slug', 'a'.repeat(65), 'a'.repeat(65)],
    ['slug', '%61%2D%62', 'a-b'],
    ['env', 'development', 'development'],
    ['env', 'staging', 'staging'],
    ['env', 'produc%74ion', 'production'],
    ['version', '0', 0],
    ['version', '1', 1],
    ['version', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['version', '9007199254740992', Number.MAX_SAFE_INTEGER],
    ['version', '9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['keyId', 'key_0aZ', 'key_0aZ'],
    ['providerId', `oidc.${'x'.repeat(65)}`, `oidc.${'x'.repeat(65)}`],
    ['key', 'x'.repeat(513), 'x'.repeat(513)],
  ] as const)('%s: %j is %j', (name, segment, value) => {
    expect(read(name, segment)).toBe(value);
  });
});

describe('a segment that breaks its rule is refused by name', () => {
  const cases = [
    [
      'accountId',
      ['', 'acc_', 'acc', 'ACC_1', 'acc_1-2', 'acc_1\n', 'acc_é', 'acc_%31%', 'acc_%zz', 'acc_%C3', 'acc_%2531', 'xacc_1'],
    ],
    ['slug', ['', 'A', 'a--b', 'a-', '-a', 'a.b', 'a b', 'ſ', 'a\u212A', 'a\n', '..', '%2e%2e', 'a%00', 'a%2Fb', '%']],
    ['env', ['', 'Production', 'PRODUCTION', 'prod', 'production ', 'toString', '__proto__', 'ſtaging', '%FF']],
    ['version', ['00', '01', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1\n', '١', 'latest', '%3']],
    ['keyId', ['key_', 'svck_1', 'key_1/', 'key_%2F', 'KEY_1']],
  ] as const;
  for (const [name, segments] of cases) {
    it.each(segments)(`${name} %j`, (segment) => {
      expect(() => read(name, segment)).toThrow(malformed(name));
    });
  }

  it.each(['version', 'keyId', 'providerId', 'userId'] as const)('names nothing if it is an empty %s', (name) => {
    expect(() => read(name, '')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('is quoted up to 64 characters', () => {
    const message = catchMessage(() => read('slug', `${'\u0007'.repeat(30)}${'x'.repeat(9_000)}`));
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain('\u0007');
  });

  it('is checked in time linear in its length', () => {
    const milliseconds = [1, 2, 3, 4, 5].map(() => {
      const started = process.threadCpuUsage();
      expect(() => read('slug', `${'a-'.repeat(8_000)}!`)).toThrow();
      expect(() => read('accountId', `acc_${'a'.repeat(16_000)}!`)).toThrow();
      const { user, system } = process.threadCpuUsage(started);
      return (user + system) / 1_000;
    });
    expect(Math.min(...milliseconds)).toBeLessThan(100);
  });
});

function catchMessage(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('nothing was thrown');
}
