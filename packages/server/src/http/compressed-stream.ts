/** Compresses long streamed bodies on their way out, outside the event loop. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { codingsOf } from './prepared-reply.ts';
import type { BodyStream, Reply } from './reply.ts';

type Portion = Iterable<string | Uint8Array>;

/** Shorter bodies gain too little. */
const compressedCharactersMin = 65_536;
/** Bodies that are compressed at one time; each keeps a thread of the runtime busy, which password hashes need too. */
const compressionsMax = 2;
let underWay = 0;

/**
 * Returns the reply with its body in gzip, if the client takes that, the body is long, and there is room for one more; else the reply
 * with its body as it is. `acceptEncoding` is the header of the request.
 */
export async function compressIfLong(
  reply: Reply & { readonly body: BodyStream },
  acceptEncoding: string | string[] | undefined,
): Promise<Reply> {
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

/** Takes one of the places at once, and gives it back when the body ends, fails or is left, also before its first portion. */
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
