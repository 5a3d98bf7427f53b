/** Who may write public state, as a verb finds it in its own transaction. */
import { type Authority, type Environment, reachesProtected, reachOf, roles } from '@holdfast/contract';
import type { Approval, ListedProposal, Proposer } from '../../contract/proposals.ts';
import { bytesAt, jsonAt, optionalIntegerAt, type Row, textAt, wordAt, wordsAt } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import { environmentsAt } from '../../rows/member-rows.ts';
import { all, first, type Steps, together } from '../steps.ts';

/** The environment in which somebody would write. */
export interface WrittenPlace {
  readonly environment: Environment;
  readonly isProtected: boolean;
}

/** Returns the place of a row that has the project's column `protected_environments`. */
export const placeAt = (row: Row, environment: Environment): WrittenPlace => ({
  environment,
  isProtected: jsonAt<readonly Environment[]>(row, 'protected_environments').includes(environment),
});

const mayWrite = (authority: Authority, { environment, isProtected }: WrittenPlace, isServiceAccount: boolean): boolean =>
  reachOf(authority, 'write_state', environment) === 'reaches' &&
  (!isProtected || reachesProtected(authority, 'write_state', environment, isServiceAccount));

interface Found {
  readonly authority: Authority;
  /** The hashes of the people who stand behind it. */
  readonly people: readonly string[];
}

const hexAt = (row: Row, column: string): string[] =>
  row[column] === null ? [] : [Buffer.from(bytesAt(row, column)).toString('hex')];

/** Returns the authority of somebody; undefined if the account has no such member or service account any more. */
function* findHolder(accountId: string, { kind, id }: Proposer, now: number): Steps<Found | undefined> {
  if (kind === 'operator') return { authority: { role: 'owner', environments: null }, people: [] };
  if (kind === 'member') {
    // No row: no longer a member.
    const row = yield* first(
      'SELECT developer_hash, role, environments FROM members WHERE account_id = $1 AND member_id = $2',
      [accountId, id],
    );
    return row && { authority: authorityOf(row), people: hexAt(row, 'developer_hash') };
  }
  // No row: it was deleted.
  const row = yield* first(
    `SELECT role, environments, expires_at, maker_hash FROM service_accounts
     WHERE account_id = $1 AND service_account_id = $2`,
    [accountId, id],
  );
  const expiresAt = row === undefined ? null : optionalIntegerAt(row, 'expires_at');
  if (row === undefined || (expiresAt !== null && expiresAt <= now)) return undefined;
  // At most two rows.
  const secrets = yield* all(
    'SELECT maker_hash FROM service_account_secrets WHERE account_id = $1 AND service_account_id = $2',
    [accountId, id],
  );
  const environments = row.environments === null ? null : wordsAt(row, 'environments', environmentNames);
  const people = [row, ...secrets].flatMap((made) => hexAt(made, 'maker_hash'));
  return { authority: { role: wordAt(row, 'role', roles), environments }, people };
}

const authorityOf = (row: Row): Authority => ({ role: wordAt(row, 'role', roles), environments: environmentsAt(row) });

/** What somebody may do at a place, and the hashes of the people behind. Nobody is behind an operator. */
export function* standingOf(
  accountId: string,
  proposer: Proposer,
  place: WrittenPlace,
  now: number,
): Steps<{ readonly mayWrite: boolean; readonly isOwner: boolean; readonly people: readonly string[] }> {
  const found = yield* findHolder(accountId, proposer, now);
  if (found === undefined) return { mayWrite: false, isOwner: false, people: [] };
  return {
    mayWrite: mayWrite(found.authority, place, proposer.kind === 'service_account'),
    isOwner: proposer.kind === 'member' && found.authority.role === 'owner',
    people: found.people,
  };
}

/** Returns proposals of one place with the approvals of people who may write there now. */
export function* withCountingApprovals<P extends ListedProposal>(
  accountId: string,
  proposals: readonly P[],
  place: WrittenPlace,
): Steps<readonly P[]> {
  const named = new Set(proposals.flatMap(({ approvals }) => approvals.map(({ memberId }) => memberId)));
  if (named.size === 0) return proposals;
  // A row each, unless no longer a member.
  const found = yield* together(
    [...named].map((id) => ({
      sql: 'SELECT member_id, role, environments FROM members WHERE account_id = $1 AND member_id = $2',
      values: [accountId, id],
    })),
  );
  const authorities = new Map(found.flat().map((row) => [textAt(row, 'member_id'), authorityOf(row)]));
  const counts = ({ memberId }: Approval): boolean => {
    const authority = authorities.get(memberId);
    return authority !== undefined && mayWrite(authority, place, false);
  };
  return proposals.map((proposal) => ({ ...proposal, approvals: proposal.approvals.filter(counts) }));
}
