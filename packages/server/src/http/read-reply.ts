/** The responses to a read of a record: no record (204), the client has it (304), or the record. @see docs/contract.md §4.2 */
import type { Awaitable } from '../common/awaitable.ts';
import { stateCachingHeaders } from './caching.ts';
import { hasVersion } from './conditional-read.ts';
import { cachingHeadersOf, presentReply, type ReadHeaders, type RecordReply, type SentRecord } from './record-reply.ts';
import { emptyReply, type Reply } from './reply.ts';

export type ReadReply = RecordReply | Reply<204, undefined> | Reply<304, undefined>;

/**
 * The response to a read: 204 if there is no record, 304 if `If-None-Match` names its version, otherwise the record as `presentReply` has
 * it. `present` makes the reply of a record.
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
