import { logoBytesMax, type PatchEndUserAuthConfigBody } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { bodyReader } from '../http/wire/record-body.ts';
import { initialSettings } from '../storage/contract/sign-in-settings.ts';
import { settingWarnings, withChange } from './sign-in-settings.ts';

const readBody = bodyReader('ReplaceEndUserAuthConfigBody');
const parsePlayerAuthConfig = async (body: unknown) => withChange(initialSettings, await readBody(body), false);
const readPatch = bodyReader('PatchEndUserAuthConfigBody');

/** A PNG with this many bytes of pixels. */
function pngOf(bytes: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', Buffer.alloc(13)),
    chunk('IDAT', Buffer.alloc(bytes)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const png = pngOf(3);
const pngFrameBytes = png.length - 3;
const jpeg = Buffer.from('ffd8ffe00004abcdffda0004abcd0102ff00ffd9', 'hex');
const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.from([12, 0, 0, 0]), Buffer.from('WEBPVP8 '), Buffer.alloc(4)]);
const page = Buffer.from('<script>');
const settings = {
  enabled: true,
  redirectUris: ['https://example.com/cb', 'com.example.app:/cb'],
  allowedIdps: ['password', 'google.com', 'oidc.my-company'],
  logoData: png.toString('base64'),
  logoMediaType: 'image/png',
  primaryColor: '#aB12ff',
  surfaceColor: null,
  userStateHistory: { versions: 7, days: 3 },
  sessionIdleDays: 90,
  bgColor: '#000000',
};
const invalid = (member: string) =>
  expect.objectContaining({ code: 'validation_error', message: expect.stringContaining(member) });

describe('player sign-in settings', async () => {
  it('are returned unchanged, without unknown members', async () => {
    expect(await parsePlayerAuthConfig({ ...settings, colour: 'red' })).toEqual(settings);
    expect(await parsePlayerAuthConfig({ ...settings, logoData: null, logoMediaType: null })).toMatchObject({
      logoData: null,
    });
  });

  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
    ['image/png', pngOf(logoBytesMax - pngFrameBytes)],
  ])('accept a logo of %s', async (logoMediaType, bytes) => {
    const logoData = bytes.toString('base64');
    expect(await parsePlayerAuthConfig({ ...settings, logoData, logoMediaType })).toMatchObject({ logoData });
  });

  it.each([
    ['logoData', { logoData: null }, 'logoMediaType'],
    ['logoMediaType', { logoMediaType: null }, 'logoData'],
    ['a GIF', { logoMediaType: 'image/gif' }, 'logoMediaType'],
    ['SVG', { logoMediaType: 'image/svg+xml' }, 'logoMediaType'],
    ['a PNG labelled as JPEG', { logoMediaType: 'image/jpeg' }, 'logoData'],
    ['a page labelled as PNG', { logoData: Buffer.from('<script>').toString('base64') }, 'logoData'],
    ['a truncated PNG', { logoData: png.subarray(0, 7).toString('base64') }, 'logoData'],
    ['a PNG without its end', { logoData: png.subarray(0, -12).toString('base64') }, 'logoData'],
    ['a PNG followed by a page', { logoData: Buffer.concat([png, page]).toString('base64') }, 'logoData'],
    [
      'a JPEG followed by a page',
      { logoData: Buffer.concat([jpeg, page, Buffer.from('ffd9', 'hex')]).toString('base64'), logoMediaType: 'image/jpeg' },
      'logoData',
    ],
    [
      'a WebP followed by a page',
      { logoData: Buffer.concat([webp, page]).toString('base64'), logoMediaType: 'image/webp' },
      'logoData',
    ],
    ['a truncated WebP', { logoData: webp.subarray(0, 8).toString('base64'), logoMediaType: 'image/webp' }, 'logoData'],
    [
      'a RIFF sound file',
      { logoData: Buffer.from('RIFF1234WAVEfmt ').toString('base64'), logoMediaType: 'image/webp' },
      'logoData',
    ],
    ['an empty logo', { logoData: '' }, 'logoData'],
    ['base64 with a line break', { logoData: `${settings.logoData}\n` }, 'logoData'],
    ['base64url', { logoData: Buffer.concat([png, Buffer.alloc(3, 255)]).toString('base64url') }, 'logoData'],
    ['a data URI', { logoData: `data:image/png;base64,${settings.logoData}` }, 'logoData'],
    ['one byte too many', { logoData: pngOf(logoBytesMax - pngFrameBytes + 1).toString('base64') }, 'logoData'],
    ['a huge logo', { logoData: 'A'.repeat(10_000_000) }, 'logoData'],
    ['a short colour', { primaryColor: '#fff' }, 'primaryColor'],
    ['a colour followed by other text', { primaryColor: '#ffffff;x' }, 'primaryColor'],
    ['a colour with a line break', { bgColor: '#ffffff\n' }, 'bgColor'],
    ['an unknown sign-in method', { allowedIdps: ['password', 'example.com'] }, 'allowedIdps/1'],
    ['the same sign-in method twice', { allowedIdps: ['password', 'password'] }, 'allowedIdps'],
    ['a bad redirect URI', { redirectUris: ['https://example.com', 'http://example.com'] }, 'redirectUris/1'],
    ['the same redirect URI twice', { redirectUris: ['https://example.com', 'https://example.com'] }, 'redirectUris'],
    [
      '51 redirect URIs',
      { redirectUris: Array.from({ length: 51 }, (_, i) => `https://example.com/${i}`) },
      'redirectUris',
    ],
    ['a redirect URI that is not a string', { redirectUris: [7] }, 'redirectUris/0'],
    ['a session of 0 days', { sessionIdleDays: 0 }, 'sessionIdleDays'],
    ['a session of 401 days', { sessionIdleDays: 401 }, 'sessionIdleDays'],
    ['a session of half a day', { sessionIdleDays: 1.5 }, 'sessionIdleDays'],
    ['enabled as a string', { enabled: 'true' }, 'enabled'],
  ])('refuse %s', async (_, change, member) => {
    await expect(parsePlayerAuthConfig({ ...settings, ...change })).rejects.toEqual(invalid(member));
  });

  it('refuse a body without enabled, and require nothing else', async () => {
    const { enabled: _, ...rest } = settings;
    await expect(parsePlayerAuthConfig(rest)).rejects.toEqual(invalid('enabled'));
    const none = {
      userStateHistory: { versions: 20, days: 30 },
      sessionIdleDays: null,
      logoData: null,
      logoMediaType: null,
      primaryColor: null,
      surfaceColor: null,
      bgColor: null,
    };
    const enabled = { enabled: true, redirectUris: [], allowedIdps: [], ...none };
    expect(await parsePlayerAuthConfig({ enabled: true })).toEqual(enabled);
  });

  it.each(['redirectUris', 'allowedIdps', 'primaryColor', 'surfaceColor', 'bgColor'] as const)(
    'accept a body without %s, and use the default',
    async (member) => {
      const { [member]: _, ...rest } = settings;
      expect(await parsePlayerAuthConfig(rest)).toEqual({ ...settings, [member]: initialSettings[member] });
    },
  );

  it.each([
    [{}, {}],
    [{ enabled: false }, { enabled: false }],
    [{ allowedIdps: [] }, { allowedIdps: [] }],
    [{ primaryColor: null, colour: 'red' }, { primaryColor: null }],
    [{ logoData: null }, { logoData: null, logoMediaType: null }],
    [{ logoMediaType: null }, { logoData: null, logoMediaType: null }],
  ])('keep the rest if changed by %j', async (patch, changed) => {
    const present = await parsePlayerAuthConfig(settings);
    expect(withChange(present, await readPatch(patch), false)).toEqual({ ...settings, ...changed });
  });

  it.each([
    [{ logoData: jpeg.toString('base64') }, 'logoData'],
    [{ logoMediaType: 'image/jpeg' }, 'logoMediaType'],
    [{ enabled: null }, 'enabled'],
    [{ redirectUris: null }, 'redirectUris'],
    [{ redirectUris: ['http://game.example/'] }, 'redirectUris/0'],
  ])('cannot be changed by %j', async (patch, member) => {
    const change = async () => withChange(await parsePlayerAuthConfig(settings), await readPatch(patch), false);
    await expect(change()).rejects.toEqual(invalid(member));
  });

  it('carry a warning if they allow providers that are not configured', () => {
    const { allowedIdps, redirectUris } = settings;
    const codesOf = (configured: string[] | undefined) =>
      settingWarnings({ allowedIdps, redirectUris }, configured, []).map(({ code, value }) => [code, value]);
    expect(codesOf(['google.com', 'oidc.my-company', 'apple.com'])).toEqual([]);
    expect(codesOf(['google.com'])).toEqual([['idp_not_configured', 'oidc.my-company']]);
    expect(codesOf(undefined)).toEqual([]); // an outside issuer knows
  });

  it.each([null, [], 'x', 7, [settings]])('refuse the body %j', async (body) => {
    await expect(parsePlayerAuthConfig(body)).rejects.toEqual(invalid('the body'));
  });

  it('report the fault for each type that a member may have', async () => {
    await expect(parsePlayerAuthConfig({ ...settings, bgColor: 5 })).rejects.toThrow(
      '"/bgColor" must be string, or must be null',
    );
  });
});

describe('words of a project in mails', () => {
  const words = { subject: 'Welcome aboard', greeting: 'Ahoy!', footer: 'Reef Studio\nAmsterdam' };
  const changed = (mailWords: object | null, allowed = true, present = initialSettings) =>
    withChange(present, { mailWords } as PatchEndUserAuthConfigBody, allowed).mailWords;

  it('are kept while the operator allows them, and dropped by null', () => {
    expect(changed(words)).toEqual(words);
    expect(changed({ footer: 'Reef' })).toEqual({ subject: null, greeting: null, footer: 'Reef' });
    const present = { ...initialSettings, mailWords: words };
    expect(changed(null, true, present)).toBeUndefined();
    expect(withChange(present, {}, true).mailWords).toEqual(words);
    expect('mailWords' in withChange(present, { mailWords: null }, true)).toBe(false);
  });

  it('are refused while the operator does not, unless they are unchanged', () => {
    expect(() => changed(words, false)).toThrow('SVC_MAIL_TEXTS');
    const present = { ...initialSettings, mailWords: words };
    expect(changed(words, false, present)).toEqual(words);
    expect(changed(null, false, present)).toBeUndefined();
  });

  it.each([
    ['subject', 'Win at evil.example'],
    ['subject', 'two\nlines'],
    ['greeting', 'see https://evil'],
    ['greeting', 'call 192.168.0.1'],
    ['footer', 'mail eve@evil'],
    ['footer', 'tab\there'],
    ['footer', 'www.evil'],
    ['footer', 'evil\u200b.\u200bexample'],
    ['footer', 'xn--evil'],
  ])('with %s %j are refused', (name, text) => {
    expect(() => changed({ [name]: text })).toThrow(`"/mailWords/${name}"`);
  });

  it.each(['Version 2.0 is out', 'See you at 7.30', 'J. R. Smith Inc.', 'Bonjour … à bientôt !'])('may be %j', (text) => {
    expect(changed({ greeting: text })).toMatchObject({ greeting: text });
  });
});
