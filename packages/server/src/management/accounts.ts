/** Accounts: create, read, change, delete. */
import { randomBytes } from 'node:crypto';
import type { AccountBody, UpdateAccountBody } from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { randomIdentifier } from '../common/ids/base62.ts';
import { noAccount, Refusal } from '../common/requests/refusal.ts';
import { formatTime, formatTimeOrNull } from '../common/requests/time.ts';
import type { Account, NewAccount } from '../storage/contract/accounts.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { PageRequest } from '../storage/contract/pages.ts';
import type { Store } from '../storage/store.ts';

/** Creates an account and returns it. `idpTenantId` is for identity providers that assign their own. */
export async function createAccount(
  store: Pick<Store, 'createAccount'>,
  { name }: { readonly name: string },
  nowMs: number,
  idpTenantId?: string,
): Promise<AccountBody> {
  const account = newAccount(name, nowMs, idpTenantId);
  const outcome = await store.createAccount(account);
  if (outcome === 'already_exists') throw new Refusal('already_exists', `the account ${account.accountId} already exists`);
  return accountBody({ ...account, requireSecondFactor: false });
}

/** Returns a new account, not stored yet, with its own id and tenant. */
export function newAccount(name: string, nowMs: number, idpTenantId = `t-${randomBytes(13).toString('hex')}`): NewAccount {
  return { accountId: `acc_${randomIdentifier()}`, name, idpTenantId, createdAt: nowMs };
}

/** Returns the account, or throws `not_found`. */
export async function readAccount(store: Pick<Store, 'findAccount'>, accountId: string): Promise<AccountBody> {
  return accountBody(found(await store.findAccount(accountId), accountId));
}

/**
 * Returns a page of accounts, newest first, with when a developer of each was last seen, and where the next page begins. For the operator;
 * no route exposes it.
 */
export async function listAccounts(store: Pick<Store, 'listAccounts'>, page: PageRequest) {
  const { items, next } = await store.listAccounts(page);
  return {
    items: items.map((account) => ({
      ...accountBody(account),
      lastSeenAt: formatTimeOrNull(account.lastSeenAt),
      suspendedAt: formatTimeOrNull(account.suspendedAt),
    })),
    next,
  };
}

/**
 * Changes the account and returns it. Throws `not_found`, `outside_issuer` if a second factor would be required of people who sign in
 * elsewhere, and `upgrade_unfinished`.
 */
export async function updateAccount(
  store: Pick<Store, 'updateAccount' | 'isUpgradeFinished'>,
  by: ChangedBy,
  accountId: string,
  { name, requireSecondFactor }: UpdateAccountBody,
  isOutsideIssuer: boolean,
): Promise<AccountBody> {
  if (requireSecondFactor !== undefined && isOutsideIssuer) {
    throw new Refusal(
      'outside_issuer',
      'an outside identity provider signs people in: what they have to prove is set up there',
    );
  }
  if (requireSecondFactor === true) await requireFinishedUpgrade(store, 'requireSecondFactor');
  const changes = {
    ...(name !== undefined && { name }),
    ...(requireSecondFactor !== undefined && { requireSecondFactor }),
  };
  return accountBody(found(await store.updateAccount(by, accountId, changes), accountId));
}

/** Suspends the account, or ends its suspension. Throws `not_found`, and `upgrade_unfinished` while older nodes would still serve it. */
export async function suspendAccount(
  store: Pick<Store, 'suspendAccount' | 'isUpgradeFinished'>,
  by: ChangedBy,
  accountId: string,
  isSuspended: boolean,
): Promise<void> {
  if (isSuspended) await requireFinishedUpgrade(store, 'suspendedAccounts');
  if ((await store.suspendAccount(by, accountId, isSuspended ? by.at : null)) === 'no_account') throw noAccount(accountId);
}

/**
 * Ends all sessions of the account, of developers and players: refresh tokens a slice at a time, then the access tokens issued so far.
 * Returns the number of sign-ins. Throws `not_found`.
 */
export async function signOutAccount(
  store: Pick<Store, 'signOutAccount' | 'removeSomeSignIns' | 'findAccount'>,
  by: () => ChangedBy,
  accountId: string,
): Promise<number> {
  found(await store.findAccount(accountId), accountId);
  let signIns = 0;
  for (let removed = 1; removed > 0; signIns += removed) removed = await store.removeSomeSignIns(accountId);
  const now = by();
  if ((await store.signOutAccount(now, accountId, now.at)) === 'no_account') throw noAccount(accountId);
  return signIns;
}

/** Deletes the account with everything in it, or throws `not_found`. */
export async function deleteAccount(store: Pick<Store, 'deleteAccount'>, accountId: string): Promise<void> {
  if ((await store.deleteAccount(accountId)) === 'absent') throw noAccount(accountId);
}

function accountBody(account: NewAccount & Pick<Account, 'requireSecondFactor'>): AccountBody {
  const { accountId, name, idpTenantId, createdAt, requireSecondFactor } = account;
  return { accountId, name, idpTenantId, createdAt: formatTime(createdAt), requireSecondFactor };
}

function found(account: Account | undefined, accountId: string): Account {
  if (account === undefined) throw noAccount(accountId);
  return account;
}
