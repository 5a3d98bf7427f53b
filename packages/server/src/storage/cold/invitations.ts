/** Invitations to accounts. */
import { integerAt, textAt, wordAt } from '../columns.ts';
import type { AcceptOutcome, Invitation } from '../invitation-store.ts';
import type { Account } from '../management-store.ts';
import { decodeOptional, encodeOptional, encodeText, type Row, toAccount } from '../rows.ts';
import { accountColumns, holdAccount } from './accounts.ts';
import { developerHash } from './developer-hash.ts';
import { all, first, type Steps } from './steps.ts';
import { read, type Setting, write } from './verb.ts';

const columns = 'invitation_id, account_id, role, inviter, created_at, expires_at';

const toInvitation = (row: Row): Invitation => ({
  invitationId: textAt(row, 'invitation_id'),
  accountId: textAt(row, 'account_id'),
  role: wordAt(row, 'role', ['owner']),
  inviter: decodeOptional(row.inviter),
  createdAt: integerAt(row, 'created_at'),
  expiresAt: integerAt(row, 'expires_at'),
});

function* add(
  _: Setting,
  invitationHash: Uint8Array,
  { invitationId, accountId, role, inviter, createdAt, expiresAt }: Invitation,
  openMax: number,
): Steps<'added' | 'no_account' | 'too_many'> {
  // The account is held, so that it is not deleted meanwhile and nobody else counts.
  if ((yield* holdAccount(accountId)) === undefined) return 'no_account';
  // One row, always.
  const open = yield* first('SELECT count(*) AS open FROM invitations WHERE account_id = $1 AND expires_at > $2', [
    accountId,
    createdAt,
  ]);
  if (Number(open?.open) >= openMax) return 'too_many';
  // Two invitations of one hash are a fault of the caller and fail.
  yield* all(`INSERT INTO invitations (invitation_hash, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7)`, [
    invitationHash,
    invitationId,
    accountId,
    role,
    encodeOptional(inviter),
    createdAt,
    expiresAt,
  ]);
  return 'added';
}

function* find(
  _: Setting,
  invitationHash: Uint8Array,
  now: number,
): Steps<{ readonly invitation: Invitation; readonly account: Account } | undefined> {
  // No row: no such invitation, it expired, or its account is gone.
  const row = yield* first(
    `SELECT invitation_id, account_id, role, inviter, invitations.created_at AS created_at, expires_at, name, idp_tenant_id,
       accounts.created_at AS account_created_at, require_second_factor
     FROM invitations JOIN accounts USING (account_id) WHERE invitation_hash = $1 AND expires_at > $2`,
    [invitationHash, now],
  );
  return row && { invitation: toInvitation(row), account: toAccount({ ...row, created_at: row.account_created_at }) };
}

/** The invitation is held first, then its account: of two uses at once, the second finds neither the row nor a place. */
function* accept(
  _: Setting,
  invitationHash: Uint8Array,
  issuer: string,
  subject: string,
  now: number,
): Steps<AcceptOutcome> {
  // No row: no such invitation, it expired or was used.
  const held = yield* first(
    'SELECT account_id FROM invitations WHERE invitation_hash = $1 AND expires_at > $2 FOR UPDATE',
    [invitationHash, now],
  );
  if (held === undefined) return { kind: 'unknown' };
  const accountId = textAt(held, 'account_id');
  if ((yield* holdAccount(accountId)) === undefined) return { kind: 'unknown' };
  const hash = developerHash(issuer, subject);
  // No row: somebody with this issuer and subject has an account.
  const joined = yield* first(
    `INSERT INTO developers (developer_hash, issuer, subject, account_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (developer_hash) DO NOTHING RETURNING account_id`,
    [hash, encodeText(issuer), encodeText(subject), accountId],
  );
  if (joined === undefined) {
    // No row: the account of the developer was deleted at this moment.
    const known = yield* first('SELECT account_id FROM developers WHERE developer_hash = $1', [hash]);
    return { kind: known?.account_id === accountId ? 'member' : 'elsewhere' };
  }
  // One row each, always.
  yield* all('DELETE FROM invitations WHERE invitation_hash = $1', [invitationHash]);
  const account = yield* first(`SELECT ${accountColumns} FROM accounts WHERE account_id = $1`, [accountId]);
  if (account === undefined) throw new Error('an account that is held is gone');
  return { kind: 'joined', account: toAccount(account) };
}

function* withdraw(_: Setting, accountId: string, invitationId: string): Steps<'withdrawn' | 'unknown'> {
  // No row: no such invitation of the account.
  const row = yield* first('DELETE FROM invitations WHERE account_id = $1 AND invitation_id = $2 RETURNING invitation_id', [
    accountId,
    invitationId,
  ]);
  return row === undefined ? 'unknown' : 'withdrawn';
}

export const invitationVerbs = {
  addInvitation: write(add),
  findInvitation: read(find),
  acceptInvitation: write(accept),
  withdrawInvitation: write(withdraw),
};
