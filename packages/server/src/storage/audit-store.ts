/** The part of the storage contract that keeps who changed what in an account. Verbs that manage something write a record themselves. */
import type { AuditAction, AuditActorKind } from '@holdfast/contract';
import type { Awaitable } from '../common/awaitable.ts';

/** Who does something. What players do to themselves is not recorded. */
export interface Actor {
  readonly kind: AuditActorKind | 'end_user';
  readonly id: string;
  /** What people call it at that time, where that is known. */
  readonly name: string | null;
}

/** Who changes something, and when. */
export interface ChangedBy {
  readonly actor: Actor;
  /** Made by the service, whatever the client has sent. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What has become of each field that was changed: nothing was there before without `from`, and nothing is there now without `to`. */
export type AuditDetail = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

export interface AuditRecord {
  /** Records of an account are numbered from 1, without gaps. */
  readonly position: number;
  readonly at: number;
  readonly actor: Actor;
  /** One that a newer program has written may be none that this one knows. */
  readonly action: string;
  /** The path of what was changed, below the account. */
  readonly target: string;
  /** JSON text. */
  readonly detailText: string;
  readonly requestId: string;
}

/** Which records. Null: any. */
export interface AuditFilter {
  readonly action: AuditAction | null;
  readonly actorId: string | null;
}

export interface AuditStore {
  /** Records below the position `before`, newest first; from the newest on when null. */
  listAuditRecords(
    accountId: string,
    filter: AuditFilter,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Awaitable<{ readonly records: readonly AuditRecord[]; readonly hasMore: boolean }>;
  /** Deletes some of the records from before a time, and returns how many. */
  sweepAuditRecords(before: number): Promise<number>;
}
