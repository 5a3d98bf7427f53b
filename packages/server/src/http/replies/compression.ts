/**
 * Compressed bodies: negotiates codings; gzips long bodies outside the event loop; compresses shared texts once, and identifies them by
 * weak entity tags so that clients can revalidate them.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';
import { memoised } from '../../common/async/memoised.ts';
import { hasWeakTag, type ReadCondition, type Unchanged, unchangedReply } from './conditional-read.ts';
import { type AsText, type BodyStream, headerList, type Reply } from './reply.ts';

type Portion = Iterable<string | Uint8Array>;

/** Compressing shorter bodies saves too little. */
const compressedCharactersMin = 65_536;
/** Concurrent compressions. Each occupies a thread of the runtime, and password hashes need threads too. */
const compressionsMax = 2;
let underWay = 0;

/**
 * Returns the reply with a gzipped body if the client accepts gzip, the body is long and another compression may start; otherwise returns
 * it unchanged. `acceptEncoding` is the request header.
 */
export async function compressIfLong(
  reply: Reply<200, AsText> & { readonly body: BodyStream },
  acceptEncoding: string | string[] | undefined,
): Promise<Reply<200, AsText>> {
  if (acceptEncoding === undefined || !codingsOf(String(acceptEncoding)).has('gzip')) return reply;
  const portions = reply.body[Symbol.asyncIterator]();
  const begun: Portion[] = [];
  let characters = 0;
  while (characters < compressedCharactersMin) {
    const { done, value } = await portions.next();
    if (done) break;
    const pieces = [...value];
    begun.push(pieces);
    for (const piece of pieces) characters += piece.length;
  }
  const body = joined(begun, portions);
  if (characters < compressedCharactersMin || underWay >= compressionsMax) return { ...reply, body };
  return { ...reply, headers: [...reply.headers, 'Content-Encoding', 'gzip'], body: gzipped(body) };
}

async function* joined(begun: readonly Portion[], rest: AsyncIterator<Portion>): AsyncGenerator<Portion, void, undefined> {
  try {
    yield* begun;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Counts as a compression until the body ends, fails or is abandoned, even before its first portion. */
function gzipped(body: AsyncIterable<Portion>): BodyStream {
  underWay++;
  let isHeld = true;
  const release = () => {
    if (isHeld) underWay--;
    isHeld = false;
  };
  const portions = compressed(body);
  const iterator: AsyncIterator<Portion, void, undefined> = {
    next: async () => {
      const step = await portions.next().catch((error: unknown) => {
        release();
        throw error;
      });
      if (step.done) release();
      return step;
    },
    return: async () => {
      release();
      return portions.return();
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* compressed(body: AsyncIterable<Portion>): AsyncGenerator<Portion, void, undefined> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const feeding = pipeline(Readable.from(piecesOf(body)), gzip).catch(() => {}); // an error of the source also ends `gzip`
  try {
    for await (const bytes of gzip) yield [bytes as Uint8Array];
  } finally {
    gzip.destroy();
    await feeding;
  }
}

async function* piecesOf(body: AsyncIterable<Portion>): AsyncGenerator<string | Uint8Array, void, undefined> {
  for await (const portion of body) yield* portion;
}

/** Returns the bytes gzipped, or undefined if too many compressions are running. Rejects if the compression fails. */
export async function gzipBytes(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (underWay >= compressionsMax) return undefined;
  underWay++;
  try {
    return await promisify(gzip)(bytes, { level: constants.Z_BEST_SPEED });
  } finally {
    underWay--;
  }
}

/** A longer header is ignored. */
const headerCharactersMax = 256;

/** The codings that a client accepts, without any of weight 0. @see RFC 9110 §12.5.3 */
export function codingsOf(acceptEncoding: string): ReadonlySet<string | undefined> {
  if (acceptEncoding.length > headerCharactersMax) return new Set();
  return new Set(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
      .map((one) => one.split(';', 1)[0]?.trim()),
  );
}

/** The request headers that select a text's coding. */
export interface TextRequest extends ReadCondition {
  readonly 'accept-encoding'?: string | string[] | undefined;
}

/** Replies with a text in the client's best coding, or with 304 if the client's copy is current. */
export type PreparedReply = (request: TextRequest) => Promise<Reply<200, AsText> | Unchanged>;

type Coding = 'br' | 'gzip';

/** The highest quality makes the console's files 7 % smaller, but takes five times as long. */
export const brotliQuality = 9;

const compressors: Readonly<Record<Coding, (plain: Uint8Array) => Promise<Uint8Array>>> = {
  br: (plain) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (plain) => promisify(gzip)(plain, { level: 9 }),
};

let lastCompression: Promise<unknown> = Promise.resolve();

/** Texts to keep are compressed one at a time, so that a burst of requests does not occupy all threads. */
function compressInTurn(plain: Uint8Array, coding: Coding): Promise<Uint8Array> {
  const mine = lastCompression.then(() => compressors[coding](plain));
  lastCompression = mine.catch(() => {});
  return mine;
}

/**
 * Returns a function that takes a request header, and returns the result of `make` for the bytes in the client's best coding. Each result
 * is made on first use and kept.
 *
 * @see RFC 9110 §8.4 and §12.5.3
 */
export function inCodings<Made>(
  plain: Uint8Array,
  make: (bytes: Uint8Array, coding?: Coding) => Made,
): (acceptEncoding: string | string[] | undefined) => Promise<Made> {
  const made = {
    br: memoised(async () => make(await compressInTurn(plain, 'br'), 'br')),
    gzip: memoised(async () => make(await compressInTurn(plain, 'gzip'), 'gzip')),
    identity: memoised(async () => make(plain)),
  };
  return (acceptEncoding) => made[codingOf(String(acceptEncoding ?? ''))]();
}

/**
 * Returns a function that replies with a text in the client's best coding, or with 304. The entity tag is weak, because all codings share
 * it. `headers` precede the other headers.
 *
 * @see RFC 9110 §13.1.2
 */
export async function prepareReply(mediaType: string, text: string, headers: readonly string[]): Promise<PreparedReply> {
  const plain = Buffer.from(text);
  const tag = `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"` as const;
  // The service does not add a second `Vary` to a reply.
  const shared = [...headers, 'ETag', tag, 'Vary', 'Accept-Encoding, Origin'];
  const reply = inCodings(plain, (body, coding): Reply<200, AsText> => {
    const own = { 'Content-Encoding': coding, 'Content-Type': mediaType, 'Content-Length': String(body.length) };
    return { status: 200, headers: [...shared, ...headerList(own)], body };
  });
  const unchanged = unchangedReply(shared);
  return async (request) => (hasWeakTag(request, tag) ? unchanged : reply(request['accept-encoding']));
}

/** The best coding that a client accepts. */
function codingOf(acceptEncoding: string): Coding | 'identity' {
  const taken = codingsOf(acceptEncoding);
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : 'identity';
}
