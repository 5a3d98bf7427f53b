/** The end of all memberships of a developer. */
import type { ChangedBy } from '../../contract/audit.ts';
import type { Member } from '../../contract/members.ts';
import { decodedTextAt, textAt } from '../../rows/columns.ts';
import { toMember } from '../../rows/member-rows.ts';
import { record } from '../audit/audit.ts';
import { lockAccount } from '../locks.ts';
import { all, first, type Steps } from '../steps.ts';
import { developerHash } from '../users/directories.ts';
import { endInvitations, enrol, isLastOwner, memberColumns, memberTarget, removedDetail } from './members.ts';

/**
 * Ends all memberships of a developer, unless an account would have no owner left: then it returns that account's name without changing
 * anything. The accounts are locked, so of two owners who leave at the same time, one stays.
 */
export function* leaveAllAccounts(by: ChangedBy, issuer: string, subject: string): Steps<string | undefined> {
  const hash = developerHash(issuer, subject);
  // A row for each account of the developer, in the same order on all nodes.
  const accounts = yield* all(
    `SELECT account_id, name FROM accounts WHERE account_id IN (
       SELECT account_id FROM members WHERE developer_hash = $1
       UNION ALL SELECT account_id FROM developers WHERE developer_hash = $1) ORDER BY account_id`,
    [hash],
  );
  const members: Member[] = [];
  for (const row of accounts) {
    const accountId = textAt(row, 'account_id');
    if ((yield* lockAccount(accountId)) === undefined) continue;
    yield* enrol(accountId);
    // No row: no longer a member.
    const member = yield* first(`SELECT ${memberColumns} FROM members WHERE account_id = $1 AND developer_hash = $2`, [
      accountId,
      hash,
    ]);
    if (member === undefined) continue;
    if (yield* isLastOwner(toMember(member))) return decodedTextAt(row, 'name');
    members.push(toMember(member));
  }
  for (const member of members) {
    const { accountId, name, memberId } = member;
    yield* endInvitations(member, undefined);
    const id = memberId ?? subject;
    const detail = yield* removedDetail(member, id);
    const entry = { action: 'member.remove', target: memberTarget(id), detail } as const;
    yield* record(accountId, { ...by, actor: { kind: 'developer', id, name } }, entry);
  }
  // A row for each account, as above.
  yield* all('DELETE FROM members WHERE developer_hash = $1', [hash]);
  yield* all('DELETE FROM developers WHERE developer_hash = $1', [hash]);
  return undefined;
}
