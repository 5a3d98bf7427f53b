/** Mails that wait until a mail server accepts them. */

import type {
  AddMailOutcome,
  ClaimedMail,
  DueMails,
  MailBounds,
  MailResult,
  MailState,
  NewMail,
  WaitingMail,
} from '../../contract/mails.ts';
import { bytesAt, integerAt, optionalBytesAt, optionalIntegerAt, optionalTextAt } from '../../rows/columns.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import type { SharedTable } from '../schema/declaration.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { accountOfDirectory, developersDirectory, directory, isDirectory } from './directories.ts';

/**
 * `due_at` is when a mail is tried next or, during an attempt (`is_claimed` is 1), when other nodes may try. A mail that failed for good
 * has neither a time nor content: it only records the failure until it expires.
 */
export const waitingMails = {
  title: 'waiting mails',
  placement: 'managed',
  since: 21,
  columns: {
    mail_hash: 'bytes',
    directory_id: 'text',
    email_key: 'text?',
    due_at: 'integer?',
    is_claimed: 'integer',
    failures: 'integer',
    expires_at: 'integer',
    sealed_mail: 'bytes?',
  },
  key: ['mail_hash'],
  indexes: {
    waiting_mails_by_email: '(directory_id, email_key)',
    waiting_mails_by_time: '(due_at)',
    waiting_mails_by_expiry: '(expires_at)',
  },
  owner: 'directory_id',
  isPassing: true,
} as const satisfies SharedTable;

/** SQL: whether the account of a row still exists; always true for the developers' directory. */
const isOwned = `(waiting_mails.directory_id = '${developersDirectory}'
  OR EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = waiting_mails.directory_id))`;

function* add(
  _: Setting,
  { mailHash, accountId, emailKey, sealedMail, expiresAt }: NewMail,
  claimedUntil: number,
  { waitingMax, waitingInDirectoryMax }: MailBounds,
): Steps<AddMailOutcome> {
  // One row, always. Concurrent mails do not see each other, and may slightly exceed the bounds.
  const room = yield* first(
    `SELECT CASE WHEN ${isDirectory} THEN 1 ELSE 0 END AS is_directory, count(due_at) AS waiting, count(*) - count(due_at) AS failed,
       count(CASE WHEN directory_id = ${directory} THEN due_at END) AS waiting_in_directory FROM waiting_mails`,
    [accountId],
  );
  if (room?.is_directory !== 1) return { kind: 'no_account' };
  if (Number(room.waiting) >= waitingMax || Number(room.waiting_in_directory) >= waitingInDirectoryMax) {
    return { kind: 'full' };
  }
  // No limit counts mails that were refused for good, so their records are bounded here.
  if (Number(room.failed) >= waitingMax) yield* forgetFailed(Number(room.failed) - waitingMax + 1);
  // No row: there is no earlier mail under this hash.
  const earlier = yield* first(
    'SELECT due_at, is_claimed, sealed_mail FROM waiting_mails WHERE mail_hash = $1 FOR UPDATE',
    [mailHash],
  );
  // Never the name of an earlier claim, so that its holder finds nothing.
  const dueAt = Math.max(claimedUntil, 1 + ((earlier && optionalIntegerAt(earlier, 'due_at')) ?? 0));
  // One row, always.
  yield* all(
    `INSERT INTO waiting_mails (mail_hash, directory_id, email_key, due_at, is_claimed, failures, expires_at, sealed_mail)
     VALUES ($1, $2, $3, $4, 1, 0, $5, $6)
     ON CONFLICT (mail_hash) DO UPDATE SET due_at = excluded.due_at, is_claimed = 1, failures = 0,
       expires_at = excluded.expires_at, sealed_mail = excluded.sealed_mail`,
    [mailHash, accountId ?? developersDirectory, encodeOptional(emailKey), dueAt, expiresAt, sealedMail],
  );
  const isFree = earlier !== undefined && integerAt(earlier, 'is_claimed') === 0;
  return { kind: 'added', dueAt, replaced: (isFree && optionalBytesAt(earlier, 'sealed_mail')) || undefined };
}

/** Deletes this many mails that failed for good, the first to expire first. */
function* forgetFailed(count: number): Steps<void> {
  // A row for each, unless others delete them at the same moment.
  yield* all(
    `DELETE FROM waiting_mails WHERE due_at IS NULL AND mail_hash IN (
       SELECT mail_hash FROM waiting_mails WHERE due_at IS NULL ORDER BY expires_at, mail_hash LIMIT CAST($1 AS bigint))`,
    [count],
  );
}

function* listDue(_: Setting, now: number, limit: number): Steps<DueMails> {
  // The times are in an index.
  const found = yield* one('SELECT min(due_at) AS next_at, count(due_at) AS waiting FROM waiting_mails');
  const nextAt = optionalIntegerAt(found, 'next_at') ?? undefined;
  const waiting = Number(found.waiting ?? 0);
  if (nextAt === undefined || nextAt > now) return { due: [], nextAt, waiting };
  // A row for each due mail, at most as many as requested.
  const rows = yield* all(
    `SELECT mail_hash, ${accountOfDirectory}, due_at,
       row_number() OVER (PARTITION BY directory_id ORDER BY due_at, mail_hash) AS turn
     FROM waiting_mails WHERE due_at <= $1 ORDER BY turn, due_at, mail_hash LIMIT CAST($2 AS bigint)`,
    [now, limit],
  );
  const due = rows.map((row) => ({
    mailHash: bytesAt(row, 'mail_hash'),
    accountId: optionalTextAt(row, 'account_id'),
  }));
  return { due, nextAt, waiting };
}

/** More mails than an address receives in an hour. */
const listedMax = 100;

function* listTo(_: Setting, accountId: string | null, emailKey: string): Steps<readonly WaitingMail[]> {
  // A row for each waiting mail.
  const rows = yield* all(
    `SELECT mail_hash, due_at, sealed_mail FROM waiting_mails
     WHERE directory_id = ${directory} AND email_key = $2 AND due_at IS NOT NULL AND is_claimed = 0
     ORDER BY expires_at, mail_hash LIMIT ${listedMax}`,
    [accountId, encodeText(emailKey)],
  );
  return rows.map((row) => ({
    mailHash: bytesAt(row, 'mail_hash'),
    dueAt: integerAt(row, 'due_at'),
    sealedMail: bytesAt(row, 'sealed_mail'),
  }));
}

function* claim(_: Setting, mailHash: Uint8Array, now: number, claimedUntil: number): Steps<ClaimedMail | undefined> {
  // No row: it is not due, it was sent, or its account was deleted.
  const row = yield* first(
    `UPDATE waiting_mails SET due_at = $3, is_claimed = 1
     WHERE mail_hash = $1 AND due_at <= $2 AND ${isOwned}
     RETURNING mail_hash, due_at, failures, expires_at, sealed_mail`,
    [mailHash, now, claimedUntil],
  );
  return (
    row && {
      mailHash: bytesAt(row, 'mail_hash'),
      dueAt: integerAt(row, 'due_at'),
      sealedMail: bytesAt(row, 'sealed_mail'),
      failures: integerAt(row, 'failures'),
      expiresAt: integerAt(row, 'expires_at'),
    }
  );
}

/** Each changes the mail `$1`, claimed until `$2`. No row: it was deleted, or claimed by another node. */
const settlements: Readonly<Record<MailResult['kind'], string>> = {
  sent: 'DELETE FROM waiting_mails WHERE mail_hash = $1 AND due_at = $2 AND is_claimed = 1 RETURNING mail_hash',
  failed: `UPDATE waiting_mails SET due_at = NULL, is_claimed = 0, failures = failures + 1, sealed_mail = NULL
    WHERE mail_hash = $1 AND due_at = $2 AND is_claimed = 1 RETURNING mail_hash`,
  postponed: `UPDATE waiting_mails SET due_at = $3, is_claimed = 0, failures = failures + 1
    WHERE mail_hash = $1 AND due_at = $2 AND is_claimed = 1 RETURNING mail_hash`,
};

function* settle(
  _: Setting,
  { mailHash, dueAt }: Pick<ClaimedMail, 'mailHash' | 'dueAt'>,
  result: MailResult,
): Steps<'settled' | 'lost'> {
  const values = result.kind === 'postponed' ? [mailHash, dueAt, result.dueAt] : [mailHash, dueAt];
  const settled = yield* first(settlements[result.kind], values);
  return settled === undefined ? 'lost' : 'settled';
}

function* find(_: Setting, mailHash: Uint8Array, now: number): Steps<MailState | undefined> {
  // No row: it was sent, it has expired, or there was none.
  const row = yield* first(
    'SELECT due_at, failures, expires_at FROM waiting_mails WHERE mail_hash = $1 AND expires_at > $2',
    [mailHash, now],
  );
  if (row === undefined) return undefined;
  if (optionalIntegerAt(row, 'due_at') === null) return { kind: 'failed' };
  return { kind: 'waiting', failures: integerAt(row, 'failures'), expiresAt: integerAt(row, 'expires_at') };
}

/** Deletes the mails about an address in a directory. `emailKey` is in the column's form. */
export function* removeMailsTo(directoryId: string, emailKey: string): Steps<void> {
  // Any number of rows.
  yield* all('DELETE FROM waiting_mails WHERE directory_id = $1 AND email_key = $2', [directoryId, emailKey]);
}

/** Deletes one mail. */
export function* removeMail(mailHash: Uint8Array): Steps<void> {
  // No row: it was sent, or there was none.
  yield* all('DELETE FROM waiting_mails WHERE mail_hash = $1', [mailHash]);
}

export const waitingMailVerbs = {
  /** Adds a mail that the caller tries first: other nodes wait until the returned `dueAt`, which is `claimedUntil` or slightly later. */
  addMail: write(add),
  /** The unclaimed mails that are due at `now`, at most `limit`. */
  listDueMails: smallRead(listDue),
  /** The waiting, unclaimed mails about an address, the first to expire first; a bounded number. */
  listMailsTo: smallRead(listTo),
  /** Claims a mail that is due at `now`. Of parallel calls, exactly one gets it; the rest get undefined. */
  claimMail: write(claim, { isolation: 'statement' }),
  /** Stores the result for a claimed mail. `lost`: the mail was replaced, removed or claimed by another node in the meantime. */
  settleMail: write(settle, { isolation: 'statement' }),
  /** The state of an unexpired mail; undefined once it is sent. */
  findMail: smallRead(find),
};
