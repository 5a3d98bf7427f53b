/**
 * `Idempotency-Key`: writes that a client may repeat if it does not know whether they succeeded.
 *
 * @see docs/contract.md §4.8
 */

import { idempotencyKeyCharactersMax, idempotencyKeyHoursKept } from '@holdfast/contract';
import type { Principal } from '../access/principal.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { truncatedHash } from '../common/secrets/truncated-hash.ts';
import type { FoundRepeat, Repeat } from '../storage/contract/repeats.ts';
import type { Store } from '../storage/store.ts';
import type { Precondition } from './documents/precondition.ts';

const visible = /^[\x21-\x7e]+$/;

/** Returns the idempotency key of a repeatable request. Throws `validation_error` unless it has 1 to 255 visible ASCII characters. */
export function readIdempotencyKey(header: string | readonly string[]): string {
  if (typeof header === 'string' && header.length <= idempotencyKeyCharactersMax && visible.test(header)) return header;
  const rule = `1 to ${idempotencyKeyCharactersMax} visible ASCII characters, sent once`;
  throw new Refusal('validation_error', `header Idempotency-Key must be ${rule}`);
}

/** A write as the client sent it. */
export interface SentWrite {
  readonly principal: Principal;
  readonly method: 'PUT' | 'PATCH';
  readonly precondition: Precondition;
  readonly body: Uint8Array;
}

/** The store's record of a write, without its document. */
export type SentRepeat = Omit<Repeat, 'scope'>;

/** Returns the record of a write with a key. Keys belong to the credential's subject, not to one of its tokens. */
export function sentRepeat(idempotencyKey: string, sent: SentWrite): SentRepeat {
  const { principal, method, precondition, body } = sent;
  const conditions = Buffer.from(JSON.stringify([method, precondition]));
  return {
    key: repeatKeyOf(idempotencyKey, principal),
    request: truncatedHash(Buffer.concat([conditions, body])),
  };
}

/** Returns the stored form of a key, which belongs to the credential's subject. */
export const repeatKeyOf = (idempotencyKey: string, principal: Principal): Uint8Array =>
  truncatedHash(JSON.stringify([principal.kind, subjectOf(principal), idempotencyKey]));

/**
 * Returns the record that answers a repeated write: the current record, if it is the version that the write made. Rejects with
 * `idempotency_key_reused` if the key belongs to a different write, and with `version_conflict` if there is a later version.
 */
export async function repeatedRecord<Record extends { readonly version: number }>(
  { version, isSame }: FoundRepeat,
  readCurrent: () => Promise<Record | null>,
): Promise<Record> {
  if (!isSame) {
    throw new Refusal(
      'idempotency_key_reused',
      'this Idempotency-Key was sent with another body or precondition; use a new key for another write',
    );
  }
  const current = await readCurrent();
  if (current?.version === version) return current;
  const currentVersion = current?.version ?? null;
  const now = currentVersion === null ? 'the state is gone' : `the current version is ${currentVersion}`;
  const message = `this write was carried out before, as version ${version}: ${now}`;
  throw new Refusal('version_conflict', message, { details: { currentVersion, appliedVersion: version } });
}

const millisecondsPerHour = 3_600_000;

/** Deletes some expired keys. Returns the number deleted; 0 if none remain. */
export function forgetRepeats(store: Pick<Store, 'findRepeat' | 'sweepRepeats'>, now: number): Promise<number> {
  return store.sweepRepeats(now - idempotencyKeyHoursKept * millisecondsPerHour);
}

/** Returns the stored form of a request: of what names it besides its body, and the body. */
export const hashOfRequest = (name: string, body: Uint8Array): Uint8Array =>
  truncatedHash(Buffer.concat([Buffer.from(`${name}\n`), body]));

function subjectOf(principal: Principal): string {
  switch (principal.kind) {
    case 'developer':
      return principal.subject;
    case 'api_key':
      return principal.keyId;
    case 'end_user':
      return principal.userId;
  }
}
