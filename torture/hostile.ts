/** Inputs that have broken parsers before: methods, targets, headers, framings and JSON. */
import type { Random } from '../tooling/random.ts';

type Header = readonly [name: string, value: string];

/** Without DELETE, which would soon leave nothing to reach; the corpus deletes from a separate account. */
export const hostileMethods: readonly string[] = [
  'GET',
  'HEAD',
  'PUT',
  'PATCH',
  'POST',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PURGE',
  'M-SEARCH',
  'PRI',
  'get',
  'GETT',
  'G\0T',
  '',
  ' GET',
  'GET\t',
  'A'.repeat(20_000),
];

export const hostileTargets: readonly ((target: string, random: Random) => string)[] = [
  (target) => `http://other.example${target}`,
  (target) => `https://user:password@[::1]:99999${target}`,
  (target) => `//${target}`,
  (target) => `${target}/`,
  (target) => `${target}?${'a=b&'.repeat(500)}`,
  (target) => `${target}#fragment`,
  (target) => `${target}%`,
  (target) => target.replaceAll('/', '%2f'),
  (target) => target.replaceAll('/', '\\'),
  (target) => `/./..${target}/../../etc/passwd`,
  (target) => target.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (target) => `${target}/${'x'.repeat(15_000)}`,
  (target, random) => {
    const segments = target.split('/');
    segments[random.below(segments.length)] = random.pick(hostileSegments);
    return segments.join('/');
  },
  () => '*',
  () => '',
  () => 'relative/path',
];

const hostileSegments: readonly string[] = [
  '',
  '.',
  '..',
  '%00',
  '%C0%AF',
  '%ff',
  '%ED%A0%80',
  '%zz',
  '%',
  '\xff\xfe',
  'a b',
  '\0',
  '__proto__',
  'constructor',
  'Development',
  'DEVELOPMENT',
  'acc_',
  `acc_${'1'.repeat(3000)}`,
  '0',
  '-1',
  '01',
  '99999999999999999999',
  '1e3',
  '*',
];

export const hostileHeaders: readonly Header[] = [
  ['Host', 'other.example'],
  ['Authorization', 'Bearer '],
  ['Authorization', `Bearer ${'A'.repeat(9_000)}`],
  ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
  ['Authorization', 'ApiKey svck_0000000000000000000000000000000000'],
  ['Authorization', 'Basic Og=='],
  ['Expect', '100-continue'],
  ['Expect', 'miracles'],
  ['Connection', 'close'],
  ['Connection', 'Upgrade, HTTP2-Settings'],
  ['Connection', 'keep-alive, Authorization, API-Version'],
  ['Upgrade', 'h2c'],
  ['Upgrade', 'websocket'],
  ['If-Match', '"0"'],
  ['If-Match', '"99999999999999999999999999"'],
  ['If-Match', 'W/"1"'],
  ['If-Match', '*'],
  ['If-None-Match', '*'],
  ['If-None-Match', `${'"1",'.repeat(2_000)}"2"`],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Encoding', 'gzip'],
  ['Origin', 'null'],
  ['Origin', 'https://a.example\t'],
  ['Access-Control-Request-Method', 'PUT'],
  ['X-Request-Id', 'x'.repeat(128)],
  ['X-Request-Id', 'x'.repeat(129)],
  ['X-Request-Id', 'a\u00e9b'],
  ['X-Request-Id', 'a\tb'],
  ['X-Forwarded-For', '127.0.0.1, not-an-address'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Range', 'bytes=0-0,-1'],
  ['Accept-Encoding', 'gzip;q=0, *'],
  ['Cookie', 'a='.repeat(1_000)],
  ['X-Long', 'v'.repeat(17_000)],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Null', 'a\0b'],
  ['X-Return', 'a\rb'],
  ['X-Fold', 'a\r\n b'],
  ['X-Split', 'a\r\nAPI-Version: 2'],
  ['X-Octets', '\x01\x7f\xff'],
  ['X Space', 'a'],
  ['', 'no name'],
  ['Trailer', 'API-Version'],
  ['TE', 'trailers'],
  ['Max-Forwards', '0'],
];

export const hostileFraming: {
  /** Takes the true length of the body. */
  readonly headers: readonly ((length: number) => readonly Header[])[];
  readonly chunks: readonly Buffer[];
} = {
  headers: [
    (length) => [['Content-Length', String(length + 1)]],
    (length) => [['Content-Length', String(Math.max(0, length - 1))]],
    (length) => [
      ['Content-Length', String(length)],
      ['Content-Length', String(length)],
    ],
    (length) => [
      ['Content-Length', String(length)],
      ['Content-Length', '0'],
    ],
    (length) => [['Content-Length', `+${length}`]],
    (length) => [['Content-Length', `${length}, ${length}`]],
    (length) => [['Content-Length', `0x${length.toString(16)}`]],
    (length) => [['Content-Length', `${length} `]],
    () => [['Content-Length', '-1']],
    () => [['Content-Length', '']],
    () => [['Content-Length', '18446744073709551616']],
    () => [['Content-Length', '9999999999']],
    (length) => [
      ['Content-Length', String(length)],
      ['Transfer-Encoding', 'chunked'],
    ],
    () => [['Transfer-Encoding', 'identity']],
    () => [['Transfer-Encoding', 'chunked, chunked']],
    () => [['Transfer-Encoding', 'chunked, identity']],
    () => [['Transfer-Encoding', 'xchunked']],
    () => [['Transfer-Encoding', '\x0bchunked']],
    () => [['Transfer-Encoding', 'gzip, chunked']],
    () => [
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'chunked'],
    ],
    () => [['Transfer-Encoding ', 'chunked']],
  ],
  chunks: [
    '-1\r\n',
    'ffffffffffffffff1\r\n',
    '0x4\r\n{}\r\n',
    '80000000\r\n',
    '7fffffffffffffff\r\n',
    ' 2\r\n{}\r\n',
    '2 \r\n{}\r\n',
    '2;a=b\r\n{}\r\n',
    `2;${'e'.repeat(20_000)}\r\n{}\r\n`,
    '2\n{}\n',
    '2\r\n{}',
    '\r\n',
    'g\r\n',
    '1\r\n{}\r\n',
    '0\r\nX-Trailer: a\r\n\r\n',
    '0\r\nContent-Length: 5\r\nAPI-Version: 2\r\n\r\n',
    '0\r\n',
    `${'0'.repeat(400)}2\r\n{}\r\n`,
  ].map((text) => Buffer.from(text, 'latin1')),
};

const text = (json: string) => () => Buffer.from(json, 'utf8');
/** Returns the body with one member's value replaced by a JSON value. */
const withValue = (json: string) => (body: Buffer, random: Random) => {
  const values = [...body.toString('utf8').matchAll(/:(?:"[^"]*"|[0-9.eE+-]+|null|true|false)/g)];
  if (values.length === 0) return Buffer.from(json);
  const { index, 0: found } = random.pick(values);
  const source = body.toString('utf8');
  return Buffer.from(`${source.slice(0, index)}:${json}${source.slice(index + found.length)}`);
};
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

export const hostileBodies: readonly ((body: Buffer, random: Random) => Buffer)[] = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '"text"',
    '0',
    '-',
    '[]',
    '{}',
    '{',
    '[',
    '{"state"',
    '{"state":{}',
    '{"state":[]}',
    '{"ops":{}}',
  ].map(text),
  ...[
    '{"ops":[]}',
    '{"ops":[null]}',
    '{"ops":[{"op":"move","from":"","path":"/a"}]}',
    '{"ops":[{"op":"remove","path":""}]}',
  ].map(text),
  ...[
    '/__proto__/x',
    '/constructor/prototype',
    '/list/-',
    '/list/01',
    '/list/4294967296',
    '/~2',
    'no-slash',
    '/a/b/c',
    '/\u0000',
  ].map((path) => text(JSON.stringify({ ops: [{ op: 'add', path, value: {} }] }))),
  ...[
    'null',
    '{}',
    '[]',
    '1e400',
    '-0',
    '9007199254740993',
    `0.${'1'.repeat(5_000)}`,
    `1e${'9'.repeat(50)}`,
    '"\\ud800"',
    '"\\u0000"',
  ].map(withValue),
  ...[
    '01',
    '+1',
    '.5',
    '1.',
    'NaN',
    'Infinity',
    '0x1',
    "'a'",
    '"\\x"',
    '"\t"',
    '"unclosed',
    '/*c*/1',
    '1,',
    nested(300),
  ].map(withValue),
  text(nested(100_000)),
  text('{"a":'.repeat(100_000)),
  text(`{"state":${nested(256)}}`),
  text(`{"state":{"text":"${'x'.repeat(300_000)}"}}`),
  text(`{"state":{"text":"${'\\u00e9'.repeat(256_000)}"}}`),
  text(`{"state":{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join()}}}`),
  text('{"state":{"a":1,"a":2,"__proto__":{"polluted":true}},"state":{"b":3}}'),
  text(`{"ops":[${Array.from({ length: 3_000 }, () => '{"op":"add","path":"/list/0","value":1}').join()}]}`),
  (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  (body) => Buffer.from(body.toString('utf8'), 'utf16le'),
  (body, random) => {
    const at = random.below(body.length + 1);
    return Buffer.concat([body.subarray(0, at), Buffer.from([0xc0, 0x80, 0xff]), body.subarray(at)]);
  },
  (body) => Buffer.from(`${body}${body}`),
  (body) => Buffer.from(`${body}\0`),
];
