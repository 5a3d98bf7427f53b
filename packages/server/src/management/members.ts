/** Members of an account, and the accounts of a developer. @see docs/contract.md §8.8 */

import { type ChangeMemberBody, type DeveloperAccountBody, type MemberBody, reachOf } from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import type { DeveloperPrincipal } from '../access/principal.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { formatTime, formatTimeOrNull } from '../common/requests/time.ts';
import { quoted } from '../common/text/quoted.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { ChangeMemberOutcome, Member } from '../storage/contract/members.ts';
import type { Store } from '../storage/store.ts';

export interface MemberKey {
  readonly accountId: string;
  readonly memberId: string;
}

/** Returns all members of an account, the first to join first. */
export async function listMembers(
  store: Pick<Store, 'listMembers' | 'enrolDevelopers'>,
  accountId: string,
): Promise<MemberBody[]> {
  let members = await store.listMembers(accountId);
  if (members.some(({ memberId }) => memberId === null)) {
    await store.enrolDevelopers(accountId);
    members = await store.listMembers(accountId);
  }
  return members.map(memberBody);
}

/**
 * Changes what a member may do, and returns the member. Throws `validation_error` if an owner would be restricted to environments,
 * `not_found`, `forbidden` over the authority of `granter`, `last_owner`, and `upgrade_unfinished`.
 */
export async function changeMember(
  store: Pick<Store, 'changeMember' | 'isUpgradeFinished'>,
  by: ChangedBy,
  { accountId, memberId }: MemberKey,
  changes: ChangeMemberBody,
  granter: DeveloperPrincipal,
): Promise<MemberBody> {
  // Nodes of an earlier release treat every member as an owner.
  if (changes.role !== 'owner') await requireFinishedUpgrade(store, 'roles');
  const outcome = await store.changeMember(by, accountId, memberId, changes, granter);
  if (outcome.kind === 'changed') return memberBody(outcome.member);
  throw refusalOf(outcome, memberId, granter);
}

/**
 * Removes a member; members of any role may remove themselves. Throws `not_found`, `forbidden` over the authority of `granter`,
 * `last_owner`, and `upgrade_unfinished`.
 */
export async function removeMember(
  store: Pick<Store, 'removeMember' | 'isUpgradeFinished'>,
  by: ChangedBy,
  { accountId, memberId }: MemberKey,
  granter: DeveloperPrincipal,
): Promise<void> {
  const mayRemove = granter.actsAs !== 'service_account' && reachOf(granter, 'manage_access', undefined) === 'reaches';
  if (granter.memberId !== memberId && !mayRemove) {
    throw new Refusal('forbidden', `the role ${granter.role} does not allow this: you can remove only yourself`);
  }
  await requireFinishedUpgrade(store, 'roles');
  const outcome = await store.removeMember(by, accountId, memberId, granter);
  if (outcome.kind !== 'removed') throw refusalOf(outcome, memberId, granter);
}

function refusalOf(
  { kind }: Exclude<ChangeMemberOutcome, { kind: 'changed' }>,
  memberId: string,
  { role }: DeveloperPrincipal,
): Refusal {
  switch (kind) {
    case 'unknown':
      return new Refusal('not_found', `the account has no member ${quoted(memberId)}`);
    case 'beyond':
      return new Refusal(
        'forbidden',
        `the role ${role} does not allow this: only owners can change owners, and nobody can give more than their own role and environments`,
      );
    case 'last_owner':
      return new Refusal('last_owner', 'the account has no other owner: make another member an owner first');
    case 'unnarrowable':
      return new Refusal('validation_error', 'an owner has all environments: environments must be null or left out');
  }
}

const memberBody = ({ memberId, email, name, role, environments, joinedAt, lastSeenAt }: Member): MemberBody => ({
  memberId: memberId ?? '',
  email,
  name,
  role,
  environments: environments && [...environments],
  joinedAt: formatTime(joinedAt),
  lastSeenAt: formatTimeOrNull(lastSeenAt),
});

/** Returns the accounts of a member of this issuer; for a service account, its own. */
export async function listDeveloperAccounts(
  store: Pick<Store, 'listMemberships' | 'findAccount'>,
  issuer: string,
  { actsAs, accountId, subject, role }: DeveloperPrincipal,
): Promise<DeveloperAccountBody[]> {
  if (actsAs === 'member') {
    const memberships = await store.listMemberships(issuer, subject);
    return memberships.map(({ account: { accountId: id, name }, member }) => ({ accountId: id, name, role: member.role }));
  }
  const account = await store.findAccount(accountId);
  return account === undefined ? [] : [{ accountId, name: account.name, role }];
}
