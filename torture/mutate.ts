/** Seeded damage to a request: its bytes, its line, its headers, its framing and its JSON. */

import type { Random } from '../tooling/random.ts';
import { type RequestParts, requestBytes } from './corpus.ts';
import { hostileBodies, hostileFraming, hostileHeaders, hostileMethods, hostileTargets } from './hostile.ts';

type PartMutation = (request: RequestParts, random: Random) => RequestParts;
type ByteMutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

/** The bytes of one mutated request. `other` is a second valid request, of which parts may be used. */
export function mutated(request: RequestParts, other: RequestParts, random: Random): Buffer {
  let parts = request;
  const partMutations = random.below(3);
  for (let i = 0; i < partMutations; i++) parts = random.pick(mutationsOfParts)(parts, random);
  let bytes = requestBytes(parts);
  const byteMutations = partMutations === 0 ? 1 + random.below(3) : random.below(2);
  for (let i = 0; i < byteMutations; i++) bytes = random.pick(mutationsOfBytes)(bytes, random, requestBytes(other));
  return bytes;
}

const mutationsOfParts: readonly PartMutation[] = [
  (request, random) => ({ ...request, method: random.pick(hostileMethods) }),
  (request, random) => ({ ...request, target: random.pick(hostileTargets)(request.target, random) }),
  insertHeader,
  insertHeader,
  damageHeader,
  (request, random) => ({ ...request, body: random.pick(hostileBodies)(request.body ?? Buffer.alloc(0), random) }),
  (request, random) => ({ ...request, body: random.pick(hostileBodies)(request.body ?? Buffer.alloc(0), random) }),
  chunk,
  reframe,
];

/** A wrong header at a random position. */
function insertHeader(request: RequestParts, random: Random): RequestParts {
  const headers = [...request.headers];
  headers.splice(random.below(headers.length + 1), 0, random.pick(hostileHeaders));
  return { ...request, headers };
}

/** One header removed, doubled, renamed, emptied or in another case. */
function damageHeader(request: RequestParts, random: Random): RequestParts {
  if (request.headers.length === 0) return request;
  const headers = [...request.headers];
  const at = random.below(headers.length);
  const [name, value] = headers[at] as readonly [string, string];
  const replacements: readonly (readonly (readonly [string, string])[])[] = [
    [],
    [
      [name, value],
      [name, value],
    ],
    [[`${name} `, value]],
    [[name, '']],
    [[name.toUpperCase(), value.toUpperCase()]],
    [[name, `${value}, ${value}`]],
    [[name, `\t ${value} \t`]],
    [[name, value.slice(0, random.below(value.length + 1))]],
    [[name, `${value.slice(0, 3)}\r\n ${value.slice(3)}`]],
  ];
  headers.splice(at, 1, ...random.pick(replacements));
  return { ...request, headers };
}

/** The body in chunks, sometimes with an invalid chunk. */
function chunk(request: RequestParts, random: Random): RequestParts {
  const body = request.body ?? Buffer.from('{}');
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = 1 + random.below(Math.max(1, body.length - at));
    pieces.push(Buffer.from(`${size.toString(16)}\r\n`), body.subarray(at, at + size), Buffer.from('\r\n'));
    at += size;
  }
  pieces.push(Buffer.from('0\r\n\r\n'));
  if (random.oneIn(2)) pieces.splice(random.below(pieces.length), 1, random.pick(hostileFraming.chunks));
  return { ...request, headers: [...request.headers, ['Transfer-Encoding', 'chunked']], body: Buffer.concat(pieces) };
}

/** A framing header that does not fit the body. */
function reframe(request: RequestParts, random: Random): RequestParts {
  const length = request.body?.length ?? 0;
  const headers = [...request.headers, ...random.pick(hostileFraming.headers)(length)];
  return { ...request, headers };
}

const mutationsOfBytes: readonly ByteMutation[] = [
  function flipBits(bytes, random) {
    const damaged = Buffer.from(bytes);
    for (let flips = 1 + random.below(8); flips > 0 && damaged.length > 0; flips--) {
      const at = random.below(damaged.length);
      damaged[at] = (damaged[at] as number) ^ (1 << random.below(8));
    }
    return damaged;
  },
  function overwrite(bytes, random) {
    const damaged = Buffer.from(bytes);
    if (damaged.length > 0) damaged[random.below(damaged.length)] = random.pick([0, 9, 10, 13, 32, 34, 58, 127, 128, 255]);
    return damaged;
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  function removeRange(bytes, random) {
    const start = random.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + random.below(40))]);
  },
  function duplicateRange(bytes, random) {
    const start = random.below(bytes.length + 1);
    const end = start + random.below(200);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start, end), bytes.subarray(end)]);
  },
  function splice(bytes, random, other) {
    const start = random.below(other.length + 1);
    const piece = other.subarray(start, start + random.below(300));
    const at = random.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + (random.oneIn(2) ? piece.length : 0))]);
  },
  (bytes, _random, other) => Buffer.concat([bytes, other]),
  (bytes) => Buffer.concat([bytes, bytes]),
  (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
];
