/** Texts that are the same for everybody: compressed once, and named by an entity tag, so that a client that has one gets no other. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { emptyReply, type Reply } from './reply.ts';

/** What a request says of the form in which it takes a text. */
export interface TextRequest {
  readonly 'accept-encoding'?: string | string[] | undefined;
  readonly 'if-none-match'?: string | undefined;
}

export type PreparedReply = (request: TextRequest) => Reply;

/** A header that says more than this is taken to say nothing. */
const headerCharactersMax = 256;

/**
 * Compresses the text, and returns a function that replies with it: in the best coding that the client takes, or with 304. The entity
 * tag is a weak one, since all codings share it. `headers` go before the others.
 *
 * @see RFC 9110 §8.4, §12.5.3 and §13.1.2
 */
export async function prepareReply(mediaType: string, text: string, headers: readonly string[]): Promise<PreparedReply> {
  const plain = Buffer.from(text);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  const tag = `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"`;
  // The service adds no `Vary` of its own to a reply that has one.
  const shared = [...headers, 'ETag', tag, 'Vary', 'Accept-Encoding, Origin'];
  const reply = (body: Uint8Array, coding?: string): Reply => ({
    status: 200,
    headers: [
      ...shared,
      ...(coding === undefined ? [] : ['Content-Encoding', coding]),
      ...['Content-Type', mediaType, 'Content-Length', String(body.length)],
    ],
    body,
  });
  const replies = { br: reply(brotli, 'br'), gzip: reply(gzipped, 'gzip'), identity: reply(plain) } as const;
  const unchanged = emptyReply(304, shared);
  return ({ 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch }) =>
    ifNoneMatch !== undefined && names(ifNoneMatch, tag) ? unchanged : replies[codingOf(String(acceptEncoding ?? ''))];
}

/** Whether `If-None-Match` names a weak entity tag. */
export function names(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.length > headerCharactersMax) return false;
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((one) => one.trim().replace(/^(?!W\/)/, 'W/') === tag);
}

/** The best coding that a client takes. */
function codingOf(acceptEncoding: string): 'br' | 'gzip' | 'identity' {
  const taken = codingsOf(acceptEncoding);
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : 'identity';
}

/** The codings that a client names; what it gives no weight it does not take. @see RFC 9110 §12.5.3 */
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
