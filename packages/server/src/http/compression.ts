/** Which codings a client takes, and long bodies in gzip, outside the event loop. Texts that are kept are in `prepared-text.ts`. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { AsText, BodyStream, Reply } from './reply.ts';

type Portion = Iterable<string | Uint8Array>;

/** Shorter bodies gain too little. */
const compressedCharactersMin = 65_536;
/** Bodies that are compressed at one time. Each occupies a thread of the runtime, and password hashes need those too. */
const compressionsMax = 2;
let underWay = 0;

/**
 * Returns the reply with its body in gzip, if the client takes that, the body is long, and there is room for one more; else the reply
 * with its body as it is. `acceptEncoding` is the header of the request.
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

/** Counts as one of the compressions from now on, until the body ends, fails or is abandoned, also before its first portion. */
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
  const feeding = pipeline(Readable.from(piecesOf(body)), gzip).catch(() => {}); // a fault of the source ends `gzip` with it
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

/**
 * Returns the bytes in gzip, or undefined when there is no room for one more. Rejects with what the compression fails with.
 */
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
export const headerCharactersMax = 256;

/** The codings that a client accepts: those that it names without a weight of 0. @see RFC 9110 §12.5.3 */
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
