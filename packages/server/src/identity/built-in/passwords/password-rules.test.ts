import { describe, expect, it } from 'vitest';
import { isDeceptiveEmail, isSameEmail, parseEmail, unicodeKey } from '../../../common/text/email-address.ts';
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
    ['ada@\uff11.\uff12', 'ada@1.2', true],
    ['ada@b\u00fccher.example', 'ada@B\u00dcCHER\u3002example', true],
    ['ada@mail.example', 'ada@\uff4dail\uff0eexample', true],
    ['ada@kelvin.example', 'ada@\u212aelvin.example', true],
    ['ada@b\u00fccher.example', 'ada@b\u00fc\u00adcher.example', true],
    ['ada@\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example', 'ada@xn--mgba3gch31f060k.example', true],
    ['ada@b\u00fccher.example', 'ada@b\u00fccher.example/x', false],
    ['ada@b\u00fccher.example', 'ada@b%C3%BCcher.example', false],
    ['ada@b\u00fccher.example', 'ada@b\u00fccher%2eexample', false],
    ['gro\u00df@mail.example', 'Gro\u00df@MAIL.example', true],
    ['gro\u00df@mail.example', 'gross@mail.example', false],
  ])('%j and %j are the same: %j', (one, other, isSame) => {
    expect(isSameEmail(one, other)).toBe(isSame);
  });

  it('keep every part in their Unicode form', () => {
    expect(unicodeKey('ada@xn--bcher-kva.example/x')).toBe('ada@xn--bcher-kva.example/x');
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
    expect(isDeceptiveEmail(text)).toBe(false);
  });

  it.each([
    ['Ada@B\u00dcCHER\u3002example', 'Ada@b\u00fccher.example'],
    ['ada@\uff4dail.example', 'ada@mail.example'],
    ['ada@\uff8a\uff9d\uff61jp', 'ada@\u30cf\u30f3.jp'],
    ['ada@b\u00fc\u200bcher.example', 'ada@b\u00fccher.example'],
    ['ada@XN--BCHER-KVA.example', 'ada@XN--BCHER-KVA.example'],
    ['ada@stra\u00dfe.example', 'ada@stra\u00dfe.example'],
  ])('%j receives mail at %j', (text, email) => {
    expect(parseEmail(text)?.email).toBe(email);
    expect(isDeceptiveEmail(text)).toBe(false);
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
  ])('%j is invalid', (text) => {
    expect(parseEmail(text)).toBeUndefined();
  });

  it.each(['ada@e\u0455ample\u2024com', 'ada@\u2488com.example', 'ada@b\u00fccher\uff0fx.example'])(
    '%j is invalid because UTS 46 does not map its domain',
    (text) => {
      expect(parseEmail(text)).toBeUndefined();
      expect(isDeceptiveEmail(text)).toBe(true);
    },
  );

  it.each([
    '\u212aen@example.com',
    'k\u0131m@example.com',
    'stra\u00dfe@example.com',
    '\u017fue@example.com',
    '\u0130da@example.com',
    '\uff41da@example.com',
  ])('%j is for look-ups only, because one of its letters looks like an ASCII one', (text) => {
    expect(isDeceptiveEmail(text)).toBe(true);
    expect(parseEmail(text)).toEqual({ email: text, emailKey: text });
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

  it('must differ from the address', async () => {
    expect(await faults('Ada.Lovelace@example.COM')).toEqual(['password_common']);
    expect(await passwordFaults('Ada.Lovelace@example.COM', undefined)).toEqual([]);
  });
});

it('a name has 200 characters at most, or none', () => {
  expect(nameFaults(null)).toEqual([]);
  expect(nameFaults('x'.repeat(200))).toEqual([]);
  expect(nameFaults('x'.repeat(201))).toEqual(['name_long']);
});
