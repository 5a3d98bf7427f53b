import { describe, expect, it } from 'vitest';
import { isSameEmail, parseEmail, parseKnownEmail } from '../../common/email-address.ts';
import { nameFaults, passwordFaults } from './password-rules.ts';

describe('two email addresses', () => {
  it.each([
    ['Ada@b\u00fccher.example', 'ada@XN--bcher-kva.example', true],
    ['ada@stra\u00dfe.example', 'ada@xn--strae-oqa.example', true],
    ['ada@stra\u00dfe.example', 'ada@strasse.example', false],
    ['\u00d6da@example.com', '\u00f6da@example.com', false],
    ['\u212aen@example.com', 'ken@example.com', false],
    ['\u212aen@example.com', '\u212aen@example.com', false],
    ['ada@1.2', 'ada@1.0.0.2', false],
  ])('%j and %j are the same: %j', (one, other, isSame) => {
    expect(isSameEmail(one, other)).toBe(isSame);
  });

  it('one of an older database with a letter whose upper case is ASCII is still found', () => {
    expect(parseKnownEmail('stra\u00dfe@example.com')?.emailKey).toBe('stra\u00dfe@example.com');
  });
});

describe('an email address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace+game@Example.COM\t', 'ada.lovelace+game@example.com'],
    ["o'neil@mail.example.co.uk", "o'neil@mail.example.co.uk"],
    ['J\u00d6rg@B\u00dcCHER.example', 'j\u00d6rg@b\u00fccher.example'],
    ['jo\u0308rg@b\u00fccher.example', 'j\u00f6rg@b\u00fccher.example'],
    ['\u7528\u6237@\u4f8b\u5b50.\u5e7f\u544a', '\u7528\u6237@\u4f8b\u5b50.\u5e7f\u544a'],
  ])('%j is compared as %j', (text, emailKey) => {
    expect(parseEmail(text)).toEqual({ email: text.trim().normalize('NFC'), emailKey });
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'ada@b@example.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada lovelace@example.com',
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada\u0000@example.com',
    'ada\u200b@example.com',
    `${'a'.repeat(250)}@b.de`,
  ])('%j is none', (text) => {
    expect(parseEmail(text)).toBeUndefined();
  });

  it.each([
    '\u212aen@example.com',
    'k\u0131m@example.com',
    'stra\u00dfe@example.com',
    '\u017fue@example.com',
    '\u0130da@example.com',
    'ada@\uff47mail.com',
    'ada@example\u3002com',
    'ada@e\u0455ample\u2024com',
  ])('%j is refused, since a letter of it passes for an ASCII one', (text) => {
    expect(parseEmail(text)).toBeUndefined();
  });

  it('may have 254 characters', () => {
    expect(parseEmail(`${'a'.repeat(249)}@b.de`)).toBeDefined();
  });
});

describe('a password', () => {
  const faults = (password: string) => passwordFaults(password, 'ada.lovelace@example.com');

  it.each([
    ['x3!kq9z', ['password_short']],
    ['x3!kq9zp', []],
    ['\u{1f600}'.repeat(7), ['password_short']],
    ['\u{1f600}\u{1f40e}\u{1f50b}\u{1f4ce}\u{1f9ff}\u{1f3b2}\u{1f352}\u{1f30b}', []],
    ['e\u0301'.repeat(7), ['password_short']],
    ['        ', []],
    ['\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007', []],
    ['\u{1f600}'.repeat(256), []],
    ['\u{1f600}'.repeat(257), ['password_long']],
  ])('%j has %j', async (password, expected) => {
    expect(await faults(password)).toEqual(expected);
  });

  it.each(['password', 'PassWord', '12345678', 'iloveyou', 'baseball1', 'qwertyuiop', '23061988'])(
    '%j is too common',
    async (password) => {
      expect(await faults(password)).toEqual(['password_common']);
    },
  );

  it('must not be the address', async () => {
    expect(await faults('Ada.Lovelace@example.COM')).toEqual(['password_common']);
    expect(await passwordFaults('Ada.Lovelace@example.COM', undefined)).toEqual([]);
  });
});

it('a name may have 200 characters, or be missing', () => {
  expect(nameFaults(null)).toEqual([]);
  expect(nameFaults('x'.repeat(200))).toEqual([]);
  expect(nameFaults('x'.repeat(201))).toEqual(['name_long']);
});
