import { describe, expect, it } from 'vitest';
import {
  parseAccountId,
  parseEnvironment,
  parseFlagKey,
  parseKeyId,
  parseProviderId,
  parseSlug,
  parseUserId,
  parseVersion,
} from './path-segments.ts';

const malformed = (name: string) =>
  expect.objectContaining({ code: 'validation_error', message: expect.stringContaining(`path segment ${name}:`) });

describe('a segment that satisfies its rule', () => {
  it.each([
    [parseAccountId, 'acc_0', 'acc_0'],
    [parseAccountId, 'acc_7aZ', 'acc_7aZ'],
    [parseAccountId, '%61cc_7', 'acc_7'],
    [parseSlug, 'a', 'a'],
    [parseSlug, 'my-game_2', 'my-game_2'],
    [parseSlug, 'a'.repeat(65), 'a'.repeat(65)],
    [parseSlug, '%61%2D%62', 'a-b'],
    [parseEnvironment, 'development', 'development'],
    [parseEnvironment, 'staging', 'staging'],
    [parseEnvironment, 'produc%74ion', 'production'],
    [parseVersion, '0', 0],
    [parseVersion, '1', 1],
    [parseVersion, '9007199254740991', Number.MAX_SAFE_INTEGER],
    [parseVersion, '9007199254740992', Number.MAX_SAFE_INTEGER],
    [parseVersion, '9'.repeat(400), Number.MAX_SAFE_INTEGER],
    [parseKeyId, 'key_0aZ', 'key_0aZ'],
    [parseProviderId, `oidc.${'x'.repeat(65)}`, `oidc.${'x'.repeat(65)}`],
    [parseFlagKey, 'x'.repeat(513), 'x'.repeat(513)],
  ] as const)('%o(%j) is %j', (parse, segment, value) => {
    expect(parse(segment)).toBe(value);
  });
});

describe('a segment that breaks its rule is refused by name', () => {
  const cases = {
    accountId: [
      parseAccountId,
      ['', 'acc_', 'acc', 'ACC_1', 'acc_1-2', 'acc_1\n', 'acc_é', 'acc_%31%', 'acc_%zz', 'acc_%C3', 'acc_%2531', 'xacc_1'],
    ],
    slug: [
      parseSlug,
      ['', 'A', 'a--b', 'a-', '-a', 'a.b', 'a b', 'ſ', 'a\u212A', 'a\n', '..', '%2e%2e', 'a%00', 'a%2Fb', '%'],
    ],
    env: [
      parseEnvironment,
      ['', 'Production', 'PRODUCTION', 'prod', 'production ', 'toString', '__proto__', 'ſtaging', '%FF'],
    ],
    version: [parseVersion, ['00', '01', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1\n', '١', 'latest', '%3']],
    keyId: [parseKeyId, ['key_', 'svck_1', 'key_1/', 'key_%2F', 'KEY_1']],
  } as const;
  for (const [name, [parse, segments]] of Object.entries(cases)) {
    it.each(segments)(`${name} %j`, (segment) => {
      expect(() => parse(segment)).toThrow(malformed(name));
    });
  }

  it.each([parseVersion, parseKeyId, parseProviderId, parseUserId])('%o of nothing names nothing', (parse) => {
    expect(() => parse('')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('quotes at most 64 characters of it', () => {
    const message = catchMessage(() => parseSlug(`${'\u0007'.repeat(30)}${'x'.repeat(9_000)}`));
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain('\u0007');
  });

  it('in a time linear in its length', () => {
    const milliseconds = [1, 2, 3, 4, 5].map(() => {
      const started = performance.now();
      expect(() => parseSlug(`${'a-'.repeat(8_000)}!`)).toThrow();
      expect(() => parseAccountId(`acc_${'a'.repeat(16_000)}!`)).toThrow();
      return performance.now() - started;
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
