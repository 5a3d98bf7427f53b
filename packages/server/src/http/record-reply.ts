/** A record of state as a reply, its own or one of a list: the same for public state and user state. @see docs/contract.md §4.2 */
import { namesVersion } from '../state/precondition.ts';
import { emptyReply, type Reply, wireText } from './reply.ts';
import { textSlices } from './unread-responses.ts';

/**
 * State belongs to the caller and may change at any moment: only the caller may cache it, and has to revalidate each time. A proxy that
 * compressed it would make its entity tag a weak one, which no write accepts.
 */
export const stateCachingHeaders = [
  'Cache-Control',
  'private, no-cache, no-transform',
  'Vary',
  'Authorization, Origin',
] as const;

/** What every record has; the bytes of its state where they are at hand. */
export interface SentRecord {
  readonly version: number;
  readonly stateText: string;
  readonly stateUtf8?: Uint8Array | undefined;
}

/** The JSON of a record up to its state. */
export const recordHead = ({ version }: SentRecord): string => `{"version":${version},"state":`;

/**
 * A record with its entity tag. The state goes in as the text that is stored, `tail` is what follows it up to the end.
 *
 * @see docs/contract.md §4.2
 */
export function recordReply(record: SentRecord, tail: string): Reply {
  const { version, stateText, stateUtf8 } = record;
  const head = recordHead(record);
  if (stateUtf8 === undefined && stateText.length <= joinedCharactersMax) {
    const body = wireText(head + stateText + tail);
    return { status: 200, headers: recordHeaders(version, body.length), body };
  }
  const body = [head, stateUtf8 ?? stateText, tail];
  const bytes = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return { status: 200, headers: recordHeaders(version, bytes), body };
}

/** A longer text is not copied for each reader: it goes out in slices, and responses that are never read share it. */
const joinedCharactersMax = 65_536;

function recordHeaders(version: number, bytes: number): readonly string[] {
  return [
    ...stateCachingHeaders,
    'ETag',
    `"${version}"`,
    'Content-Type',
    'application/json',
    'Content-Length',
    String(bytes),
  ];
}

/**
 * The response to a read: 204 while there is no record, 304 when `If-None-Match` names its version, else the record.
 *
 * @see RFC 9110 §13.1.2
 */
export function readReply<Record extends { readonly version: number }>(
  record: Record | null,
  ifNoneMatch: string | undefined,
  present: (record: Record) => Reply,
): Reply {
  if (record === null) return emptyReply(204, stateCachingHeaders);
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch, record.version)) {
    return emptyReply(304, [...stateCachingHeaders, 'ETag', `"${record.version}"`]);
  }
  return present(record);
}

/** A record as its state, and the JSON text around it. */
export interface RecordText {
  readonly head: string;
  readonly stateText: string;
  readonly tail: string;
}

/** Larger states are not joined to other text, since that would copy them, and a history has thousands. */
const listJoinedCharactersMax = 16_384;

/** Records with commas between them, small ones joined. `separator` stands before the first record. */
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
