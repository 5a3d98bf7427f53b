/** What the reads and writes of public state and user state have in common on the wire. */
import { namesVersion } from '../../state/precondition.ts';
import { emptyReply, type Reply, wireText } from '../reply.ts';

/** State is the caller's own and may change at any moment: kept by nobody but the caller, and asked for anew each time. */
export const stateCachingHeaders = ['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Origin'] as const;

/** A record with its entity tag. @see interface 4.2 point 7 */
export function recordReply(version: number, text: string): Reply {
  const body = wireText(text);
  return {
    status: 200,
    headers: [
      ...stateCachingHeaders,
      'ETag',
      `"${version}"`,
      'Content-Type',
      'application/json',
      'Content-Length',
      String(body.length),
    ],
    body,
  };
}

/**
 * The answer to a read: 204 while there is no record, 304 when `If-None-Match` names its version, else the record.
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
