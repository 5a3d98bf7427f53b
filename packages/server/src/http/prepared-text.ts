/** Texts that are the same for everybody: compressed once, named by a weak entity tag, and not sent to who has them. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { memoised } from '../common/memoised.ts';
import { codingsOf, headerCharactersMax } from './compression.ts';
import { type AsText, emptyReply, headerList, type Reply } from './reply.ts';

/** The headers of a request that choose the form of a text. */
export interface TextRequest {
  readonly 'accept-encoding'?: string | string[] | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** A text in the best coding that the client takes, or that it has not changed. */
export type PreparedReply = (request: TextRequest) => Promise<Reply<200, AsText> | Reply<304, undefined>>;

type Coding = 'br' | 'gzip';

/** The highest quality makes files of the console 7 % smaller, and takes five times as long. */
export const brotliQuality = 9;

const compressors: Readonly<Record<Coding, (plain: Uint8Array) => Promise<Uint8Array>>> = {
  br: (plain) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (plain) => promisify(gzip)(plain, { level: 9 }),
};

let lastCompression: Promise<unknown> = Promise.resolve();

/** What is kept is compressed one after the other, so that many that are asked for at once leave threads to others. */
function compressInTurn(plain: Uint8Array, coding: Coding): Promise<Uint8Array> {
  const mine = lastCompression.then(() => compressors[coding](plain));
  lastCompression = mine.catch(() => {});
  return mine;
}

/**
 * Returns a function that takes the header of a request, and gives what `make` makes of the bytes in the best coding that the client
 * takes. That is made when it is first asked for, and kept.
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
 * Returns a function that replies with a text: in the best coding that the client takes, or with 304. The entity tag is a weak one, since
 * all codings share it. `headers` go before the others.
 *
 * @see RFC 9110 §13.1.2
 */
export async function prepareReply(mediaType: string, text: string, headers: readonly string[]): Promise<PreparedReply> {
  const plain = Buffer.from(text);
  const tag = `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"`;
  // The service adds no `Vary` of its own to a reply that has one.
  const shared = [...headers, 'ETag', tag, 'Vary', 'Accept-Encoding, Origin'];
  const reply = inCodings(plain, (body, coding): Reply<200, AsText> => {
    const own = { 'Content-Encoding': coding, 'Content-Type': mediaType, 'Content-Length': String(body.length) };
    return { status: 200, headers: [...shared, ...headerList(own)], body };
  });
  const unchanged = emptyReply(304, shared);
  return async ({ 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch }) =>
    ifNoneMatch !== undefined && names(ifNoneMatch, tag) ? unchanged : reply(acceptEncoding);
}

/** Whether `If-None-Match` names a weak entity tag. */
export function names(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.length > headerCharactersMax) return false;
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((one) => one.trim().replace(/^(?!W\/)/, 'W/') === tag);
}

/** The best coding that a client takes. */
function codingOf(acceptEncoding: string): Coding | 'identity' {
  const taken = codingsOf(acceptEncoding);
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : 'identity';
}
