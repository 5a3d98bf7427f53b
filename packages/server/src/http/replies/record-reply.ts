/** Replies with one record of public or user state, or a list of them. @see docs/contract.md §2.6 and §4.2 */
import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../common/async/awaitable.ts';
import { isAdmitted } from '../../storage/caches/cache-admission.ts';
import { largeStateCachingHeaders, stateCachingHeaders } from './caching.ts';
import { codingsOf, gzipBytes } from './compression.ts';
import { hasVersion, type ReadCondition, type Unchanged, unchangedReply } from './conditional-read.ts';
import { type AsText, type BodyParts, emptyReply, type Reply, wireText } from './reply.ts';
import { textSlices } from './unread-responses.ts';

/** States over this many bytes are gzipped for clients that accept it. */
const gzippedBytesMin = 16_384;

/** A record's caching headers, sent with both 200 and 304. */
const cachingHeadersOf = ({ stateBytes }: SentRecord): readonly string[] =>
  stateBytes > gzippedBytesMin ? largeStateCachingHeaders : stateCachingHeaders;

/** A reply whose body is one or more records. */
export type RecordReply = Reply<200, AsText>;

/** The fields of every record, and its state's UTF-8 if available. */
export interface SentRecord {
  readonly version: number;
  readonly stateText: string;
  readonly stateBytes: number;
  readonly stateUtf8?: Uint8Array | undefined;
}

/** A record's JSON up to its state. */
export const recordHead = ({ version }: Pick<SentRecord, 'version'>): string => `{"version":${version},"state":`;

/**
 * A record with its entity tag. The state is inserted as stored; `tail` is the text after it.
 *
 * @see docs/contract.md §4.2
 */
export function recordReply(record: SentRecord, tail: string): RecordReply {
  const { stateText, stateUtf8 } = record;
  const head = recordHead(record);
  if (stateUtf8 === undefined && stateText.length <= joinedCharactersMax) {
    const body = wireText(head + stateText + tail);
    return { status: 200, headers: recordHeaders(record, body.length), body };
  }
  const body = [head, stateUtf8 ?? stateText, tail];
  const bytes = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return { status: 200, headers: recordHeaders(record, bytes), body };
}

/** Longer texts are not copied for each reader: they are sent in slices, and unread responses share them. */
const joinedCharactersMax = 65_536;

function recordHeaders(record: SentRecord, bytes: number): string[] {
  return [
    ...cachingHeadersOf(record),
    'ETag',
    `"${record.version}"`,
    'Content-Type',
    'application/json',
    'Content-Length',
    String(bytes),
  ];
}

/** The request headers that select the representation. */
export interface ReadHeaders extends ReadCondition {
  readonly 'accept-encoding'?: string | string[] | undefined;
}

export type ReadReply = RecordReply | Reply<204, undefined> | Unchanged;

/**
 * Responds to a read: 204 if there is no record, 304 if `If-None-Match` names its version, otherwise the reply of `presentReply`. `present`
 * makes a record's reply.
 *
 * @see docs/contract.md §4.2
 */
export function readReply<Record extends SentRecord>(
  record: Record | null,
  headers: ReadHeaders,
  present: (record: Record) => RecordReply,
): Awaitable<ReadReply> {
  if (record === null) return emptyReply(204, stateCachingHeaders);
  if (hasVersion(headers, record.version)) {
    return unchangedReply([...cachingHeadersOf(record), 'ETag', `"${record.version}"`]);
  }
  return presentReply(record, headers, present);
}

/** A record; a large one is gzipped for clients that accept it. */
export function presentReply<Record extends SentRecord>(
  record: Record,
  { 'accept-encoding': acceptEncoding }: Pick<ReadHeaders, 'accept-encoding'>,
  present: (record: Record) => RecordReply,
): Awaitable<RecordReply> {
  const takesGzip =
    record.stateBytes > gzippedBytesMin && acceptEncoding !== undefined && codingsOf(String(acceptEncoding)).has('gzip');
  return takesGzip ? gzippedReply(record, present) : present(record);
}

/** The memory for gzipped records that are read often, including their states, which stay in memory with them. */
const gzippedBytesMax = 32 * 1024 * 1024;
const gzippedRecords = new LRUCache<SentRecord, Uint8Array>({
  maxSize: gzippedBytesMax,
  sizeCalculation: (bytes, { stateBytes }) => bytes.length + stateBytes,
});
/** Concurrent reads of one record share one compression. */
const gzipping = new WeakMap<SentRecord, Promise<Uint8Array | undefined>>();

/** The reply gzipped, or uncompressed if too many compressions are running. */
async function gzippedReply<Record extends SentRecord>(
  record: Record,
  present: (record: Record) => RecordReply,
): Promise<RecordReply> {
  const bytes = gzippedRecords.get(record) ?? (await gzipOnce(record, () => present(record)));
  if (bytes === undefined) return present(record);
  return { status: 200, headers: [...recordHeaders(record, bytes.length), 'Content-Encoding', 'gzip'], body: bytes };
}

function gzipOnce(record: SentRecord, plain: () => RecordReply): Promise<Uint8Array | undefined> {
  const underWay = gzipping.get(record);
  if (underWay !== undefined) return underWay;
  const { body } = plain();
  const parts = typeof body === 'string' || body instanceof Uint8Array ? [body] : (body as BodyParts);
  const gzip = gzipBytes(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));
  const kept = gzip.then((bytes) => {
    if (bytes !== undefined && isAdmitted()) gzippedRecords.set(record, bytes);
    return bytes;
  });
  gzipping.set(record, kept);
  return kept.finally(() => gzipping.delete(record));
}

/** A record's state, and the JSON text around it. */
export interface RecordText {
  readonly head: string;
  readonly stateText: string;
  readonly tail: string;
}

/** Larger states are not joined to other text: joining copies them, and a history has thousands. */
const listJoinedCharactersMax = 16_384;

/** Records separated by commas; small ones are joined. `separator` precedes the first record. */
export function* recordPieces(records: readonly RecordText[], separator: string): Generator<string, void, undefined> {
  let joined = separator;
  for (const [index, { head, stateText, tail }] of records.entries()) {
    if (index > 0) joined += ',';
    if (stateText.length <= listJoinedCharactersMax) {
      joined += head + stateText + tail;
      continue;
    }
    yield joined + head;
    yield* textSlices(stateText);
    joined = tail;
  }
  if (joined !== '') yield joined;
}
