/**
 * Cursors of paged lists: a position in one list, opaque to clients.
 *
 * A cursor is the base64url of an eight-byte digest and the position. The digest covers the position's list, so a cursor that was cut,
 * changed or taken from another list is malformed. It is not a secret and needs no key: a client that computes a digest itself only moves
 * within a list that it may read anyway.
 */
import { hash } from 'node:crypto';
import { Refusal } from '../../common/requests/refusal.ts';
import type { PagePosition } from '../../storage/contract/pages.ts';

const digestBytes = 8;
const positionPattern = /^(0|[1-9][0-9]{0,15}):(.+)$/s;

/** Returns the cursor of a position in the list named `scope`, such as an account id. */
export function formatCursor({ createdAt, tie }: PagePosition, scope: string): string {
  const position = Buffer.from(`${createdAt}:${tie}`);
  return Buffer.concat([digest(position, scope), position]).toString('base64url');
}

/**
 * Returns the position in a cursor of the list `scope`. Throws `validation_error` for any other string; in its message, `field` is the
 * cursor's location.
 */
export function parseCursor(cursor: string, scope: string, field = 'query parameter cursor'): PagePosition {
  const position = open(cursor, scope);
  if (position === undefined) throw new Refusal('validation_error', `${field}: not a cursor of this list`);
  return position;
}

function open(cursor: string, scope: string): PagePosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return undefined;
  const position = bytes.subarray(digestBytes);
  if (!bytes.subarray(0, digestBytes).equals(digest(position, scope))) return undefined;
  const [, createdAt, tie] = positionPattern.exec(position.toString()) ?? [];
  if (createdAt === undefined || tie === undefined || !Number.isSafeInteger(Number(createdAt))) return undefined;
  if (tie.includes('\0')) return undefined; // ties never contain NUL, which not every store can search for
  return { createdAt: Number(createdAt), tie };
}

function digest(position: Uint8Array, scope: string): Uint8Array {
  const scopeDigest = hash('sha256', scope, 'buffer');
  return hash('sha256', Buffer.concat([scopeDigest, position]), 'buffer').subarray(0, digestBytes);
}
