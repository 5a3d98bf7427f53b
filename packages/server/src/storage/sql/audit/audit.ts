/**
 * The audit trail. The account is locked while a record is written, so its records are numbered without gaps; `audit_bytes` of the account
 * counts their size.
 *
 * @see docs/contract.md §8.10
 */

import { type AuditAction, auditActorKinds, auditRecordsPerDay, isOfPlayers } from '@holdfast/contract';
import { dayOf } from '../../../common/time/durations.ts';
import type { Actor, AuditDetail, AuditFilter, AuditRecord, ChangedBy } from '../../contract/audit.ts';
import type { PublicStateKey } from '../../contract/public-states.ts';
import { ofAccount } from '../../contract/read-owner.ts';
import type { UserStateKey } from '../../contract/user-states.ts';
import { decodedTextAt, integerAt, optionalDecodedTextAt, type Row, textAt, wordAt } from '../../rows/columns.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import { all, first, type Steps, together } from '../steps.ts';
import { largeRead, type Setting, write } from '../verb.ts';
import { created, detailText } from './audit-detail.ts';

/** A verb's entry for a change. */
export interface AuditEntry {
  readonly action: AuditAction;
  /** The path of the changed record, below the account, without a leading slash. */
  readonly target: string;
  readonly detail: AuditDetail;
  /** The account, if the arguments of the verb do not name it; the steps lock it. */
  readonly accountId?: string;
  /** The actor, if only the steps know it. */
  readonly actor?: Actor;
  /** The player whom the target names, so that the name can be removed from it. */
  readonly player?: { readonly slug: string; readonly playerId: string };
}

/** The approximate size of a row without its texts. */
const rowBytes = 100;

/** Whether the trail records this. Actions of players on themselves and of service accounts on players are not recorded. */
const isRecorded = ({ actor }: ChangedBy, action: AuditAction): boolean =>
  actor.kind !== 'end_user' && !(actor.kind === 'service_account' && isOfPlayers(action));

/** Records a change, in the same transaction. */
export function* record(accountId: string, by: ChangedBy, entry: AuditEntry): Steps<void> {
  if (!isRecorded(by, entry.action)) return;
  // No row: the account was deleted, and its trail with it.
  const account = yield* first('SELECT audit_position FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
  if (account === undefined) return;
  // No row: the first record of the actor.
  const last = yield* first(
    `SELECT position, at, of_day, detail, bytes FROM audit_records WHERE account_id = $1 AND actor_kind = $2 AND actor_id = $3
     ORDER BY position DESC LIMIT 1`,
    [accountId, by.actor.kind, encodeText(by.actor.id)],
  );
  // The clocks of nodes differ: a day that has begun on one node has begun.
  const isSameDay = last !== undefined && dayOf(integerAt(last, 'at')) >= dayOf(by.at);
  const ofDay = isSameDay ? integerAt(last, 'of_day') + 1 : 1;
  if (isSameDay && ofDay > auditRecordsPerDay + 1) return yield* addToSummary(accountId, by, entry, last);
  const position = integerAt(account, 'audit_position') + 1;
  const isSummary = ofDay > auditRecordsPerDay;
  yield* insert(accountId, by, isSummary ? summaryOf(by, entry) : entry, position, ofDay);
}

function* insert(accountId: string, by: ChangedBy, entry: AuditEntry, position: number, ofDay: number): Steps<void> {
  const { action, target, detail, player } = entry;
  const texts = [encodeText(by.actor.id), encodeOptional(by.actor.name), encodeText(target), detailText(detail)] as const;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), rowBytes);
  // One row each, always.
  yield* together([
    {
      sql: `INSERT INTO audit_records (account_id, position, at, actor_kind, actor_id, actor_name, action, target, detail, request_id,
              of_day, bytes, slug, end_user_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      values: [
        accountId,
        position,
        by.at,
        by.actor.kind,
        texts[0],
        texts[1],
        action,
        texts[2],
        texts[3],
        by.requestId,
        ofDay,
        bytes,
        player?.slug ?? null,
        player === undefined ? null : encodeText(player.playerId),
      ],
    },
    {
      sql: 'UPDATE accounts SET audit_position = $2, audit_bytes = audit_bytes + $3 WHERE account_id = $1',
      values: [accountId, position, bytes],
    },
  ]);
}

/** The summary of one action: how often, and its last target. It never contains a player's name. */
interface Summarized {
  readonly count: number;
  readonly last: string;
  readonly lastAt: string;
}
/** Longer targets are shortened in a summary. */
const lastCharactersMax = 64;
type Summary = Readonly<Record<string, { readonly to: Summarized }>>;

const withEntry = (summary: Summary, { at }: ChangedBy, { action, target, player }: AuditEntry): Summary => ({
  ...summary,
  [action]: {
    to: {
      count: (summary[action]?.to.count ?? 0) + 1,
      last: player === undefined ? target.slice(0, lastCharactersMax) : '',
      lastAt: new Date(at).toISOString(),
    },
  },
});

const summaryOf = (by: ChangedBy, entry: AuditEntry): AuditEntry => ({
  action: 'audit.summarize',
  target: 'audit',
  detail: withEntry({}, by, entry),
});

/** Counts a change in the summary record of the rest of a day. */
function* addToSummary(accountId: string, by: ChangedBy, entry: AuditEntry, last: Row): Steps<void> {
  const detail = detailText(withEntry(JSON.parse(textAt(last, 'detail')) as Summary, by, entry));
  const bytes = Buffer.byteLength(detail) - Buffer.byteLength(textAt(last, 'detail'));
  // One row each, always.
  yield* together([
    {
      sql: 'UPDATE audit_records SET detail = $3, bytes = bytes + $4 WHERE account_id = $1 AND position = $2',
      values: [accountId, integerAt(last, 'position'), detail, bytes],
    },
    {
      sql: 'UPDATE accounts SET audit_bytes = audit_bytes + $2 WHERE account_id = $1',
      values: [accountId, bytes],
    },
  ]);
}

/** Records a write of public state that has stored a version. */
export function* recordStateWrite(
  { accountId, slug, environment }: PublicStateKey,
  by: ChangedBy,
  { version, comment }: { readonly version: number; readonly comment: string | null },
): Steps<void> {
  const detail = created({ version, ...(comment !== null && { comment }) });
  yield* record(accountId, by, { action: 'state.write', target: `projects/${slug}/public-state/${environment}`, detail });
}

/** Records a write of a player's user state by a different actor. */
export function* recordUserStateWrite(
  { accountId, slug, environment, playerId }: UserStateKey,
  by: ChangedBy,
  { version, comment }: { readonly version: number; readonly comment: string | null },
): Steps<void> {
  yield* record(accountId, by, {
    action: 'user_state.write',
    target: `projects/${slug}/players/${encodeURIComponent(playerId.toWellFormed())}`,
    detail: created({ environment, version, ...(comment !== null && { comment }) }),
    player: { slug, playerId },
  });
}

/** Replaces the id of an erased player. It shows which request erased the player. */
const erasedName = ({ requestId }: ChangedBy): string => `erased-${requestId}`;

/** The path of an erased player, below the account. */
export const erasedTarget = (slug: string, by: ChangedBy): string => `projects/${slug}/players/${erasedName(by)}`;

/** Removes the id of a player being erased from the records of a project. */
export function* erasePlayer(accountId: string, slug: string, playerId: string, by: ChangedBy): Steps<void> {
  // Any number of rows. The counted bytes of the account stay the same.
  yield* all(
    `UPDATE audit_records SET target = $4, end_user_id = NULL WHERE account_id = $1 AND slug = $2 AND end_user_id = $3`,
    [accountId, slug, encodeText(playerId), encodeText(erasedTarget(slug, by))],
  );
}

const toRecord = (row: Row): AuditRecord => ({
  position: integerAt(row, 'position'),
  at: integerAt(row, 'at'),
  actor: {
    kind: wordAt(row, 'actor_kind', auditActorKinds),
    id: decodedTextAt(row, 'actor_id'),
    name: optionalDecodedTextAt(row, 'actor_name'),
  },
  action: textAt(row, 'action'),
  target: decodedTextAt(row, 'target'),
  detailText: textAt(row, 'detail'),
  requestId: textAt(row, 'request_id'),
});

function* list(
  _: Setting,
  accountId: string,
  { action, actorId }: AuditFilter,
  { before, itemsMax }: { readonly before: number | null; readonly itemsMax: number },
): Steps<{ readonly records: readonly AuditRecord[]; readonly hasMore: boolean }> {
  const values = [accountId, before ?? Number.MAX_SAFE_INTEGER, itemsMax + 1];
  const conditions = [
    ...(action === null ? [] : [`AND action = $${values.push(action)}`]),
    ...(actorId === null ? [] : [`AND actor_id = $${values.push(encodeText(actorId))}`]),
  ];
  // One row more than the page holds shows whether anything follows.
  const rows = yield* all(
    `SELECT position, at, actor_kind, actor_id, actor_name, action, target, detail, request_id
     FROM audit_records JOIN accounts USING (account_id) WHERE account_id = $1 AND position < $2 ${conditions.join(' ')}
     ORDER BY position DESC LIMIT $3`,
    values,
  );
  return { records: rows.slice(0, itemsMax).map(toRecord), hasMore: rows.length > itemsMax };
}

/** The maximum number of records that one sweep deletes, all of one account. With five indexes, 250 take the writer 20 ms. */
const sweepRowsMax = 100;

function* sweep(_: Setting, before: number): Steps<number> {
  // No row: nothing is that old.
  const oldest = yield* first('SELECT account_id FROM audit_records WHERE at < $1 ORDER BY at LIMIT 1', [before]);
  if (oldest === undefined) return 0;
  const accountId = textAt(oldest, 'account_id');
  // No row: the account was deleted, and its clearing deletes the records.
  yield* first('SELECT 1 AS found FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
  // A row for each that was deleted. `at + 0` keeps PostgreSQL from the index on `at`, through which each sweep could read and sort everything old.
  const removed = yield* all(
    `DELETE FROM audit_records WHERE account_id = $1 AND position IN (
       SELECT position FROM audit_records WHERE account_id = $1 AND at + 0 < $2 ORDER BY position LIMIT ${sweepRowsMax})
     RETURNING bytes`,
    [accountId, before],
  );
  const bytes = removed.reduce((sum, row) => sum + integerAt(row, 'bytes'), 0);
  // No change: the account was deleted.
  yield* all('UPDATE accounts SET audit_bytes = audit_bytes - $2 WHERE account_id = $1', [accountId, bytes]);
  return removed.length;
}

export const auditVerbs = {
  /** Records below the position `before`, newest first; null: from the newest. */
  listAuditRecords: largeRead(list, ofAccount),
  /** Deletes some of the records from before a time. Returns the number deleted. */
  sweepAuditRecords: write(sweep),
};
