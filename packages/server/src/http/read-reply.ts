/** Responses to reading a record: no record (204), unchanged (304), or the record. @see docs/contract.md §4.2 */
import type { Awaitable } from '../common/awaitable.ts';
import { stateCachingHeaders } from './caching.ts';
import { hasVersion } from './conditional-read.ts';
import { cachingHeadersOf, presentReply, type ReadHeaders, type RecordReply, type SentRecord } from './record-reply.ts';
import { emptyReply, type Reply } from './reply.ts';

export type ReadReply = RecordReply | Reply<204, undefined> | Reply<304, undefined>;

/**
 * Responds to a read: 204 if there is no record, 304 if `If-None-Match` names its version, otherwise the reply of `presentReply`. `present`
 * makes a record's reply.
 *
 * @see RFC 9110 §12.5.3
 */
export function readReply<Record extends SentRecord>(
  record: Record | null,
  headers: ReadHeaders,
  present: (record: Record) => RecordReply,
): Awaitable<ReadReply> {
  if (record === null) return emptyReply(204, stateCachingHeaders);
  if (hasVersion(headers, record.version)) {
    return emptyReply(304, [...cachingHeadersOf(record), 'ETag', `"${record.version}"`]);
  }
  return presentReply(record, headers, present);
}
