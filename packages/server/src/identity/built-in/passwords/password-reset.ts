/** Sets a new password for a user who can read mails sent to the user's address. */

import { randomBytes } from 'node:crypto';
import { hashIfSecret, hashSecret } from '../../../common/secrets/secret-text.ts';
import { parseEmail } from '../../../common/text/email-address.ts';
import { builtInIssuerName, type PasswordReset, type User } from '../../../storage/contract/identity.ts';
import type { Store } from '../../../storage/store.ts';
import { deviceTokenWith, readDevice } from '../device-token.ts';
import { type Directory, directoryKey, type Requester } from '../directory.ts';
import type { PasswordIdentity } from './password-identity.ts';
import { passwordFaults } from './password-rules.ts';
import { mailCharges, ownerOf, type PasswordDependencies, throttled } from './password-shared.ts';

const expired = { kind: 'expired' } as const;

/** Returns the functions of a reset: a mailed link lets users choose a new password. */
export function createReset(
  dependencies: PasswordDependencies,
): Pick<PasswordIdentity, 'requestReset' | 'readReset' | 'resetPassword'> {
  const { store, hasher, throttles, seals, now } = dependencies;

  async function find(token: string): Promise<{ readonly reset: PasswordReset; readonly user: User } | undefined> {
    const tokenHash = hashIfSecret(token);
    return tokenHash && store.findPasswordReset(tokenHash, now());
  }

  /** Returns the directory of an account; undefined if the account was deleted. */
  async function directoryOf(accountId: string | null): Promise<Directory | undefined> {
    if (accountId === null) return { kind: 'developers' };
    const account = await store.findAccount(accountId);
    return account && { kind: 'account', accountId, tenantId: account.idpTenantId };
  }

  return {
    async requestReset(requester, { email, returnQuery }) {
      const address = parseEmail(email);
      if (address === undefined) return { kind: 'sent' };
      const wait = await throttles.take(mailCharges(dependencies, requester, 'link', address.emailKey));
      if (wait !== undefined) return throttled(wait);
      const user = await store.findUserByEmail(directoryKey(requester.directory), address.emailKey);
      // The mail is stored after the response. Otherwise the response time would reveal whether the address has a user.
      if (user !== undefined)
        dependencies.afterAnswer(ownerOf(requester), () => mailLink(dependencies, requester, user, returnQuery));
      return { kind: 'sent' };
    },

    async readReset(token) {
      const found = await find(token);
      const directory = found && (await directoryOf(found.reset.accountId));
      if (found === undefined || directory === undefined || found.user.email === null) return expired;
      return { kind: 'open', directory, email: found.user.email, returnQuery: found.reset.returnQuery };
    },

    async resetPassword(requester, { token, password }) {
      const found = await find(token);
      if (found === undefined) return expired;
      const faults = await passwordFaults(password, found.user.email ?? undefined);
      if (faults.length > 0) return { kind: 'invalid', faults };
      const passwordHash = await hasher.hash(ownerOf(requester), password);
      if (passwordHash === 'busy') return { kind: 'busy' };
      const changedAt = now();
      const user = await store.redeemPasswordReset(hashSecret(token), passwordHash, changedAt);
      if (user === undefined) return expired;
      const deviceToken = deviceTokenWith(seals, readDevice(seals, requester.deviceToken), user.userId, changedAt);
      const isProtected = await hasSecondFactor(store, user);
      return { kind: 'changed', returnQuery: found.reset.returnQuery, deviceToken, isProtected };
    },
  };
}

const linkMinutes = 30;

async function mailLink(
  { mails, now }: PasswordDependencies,
  { language, brandName, project }: Requester,
  { accountId, userId, emailKey }: User,
  returnQuery: string,
): Promise<void> {
  const send = await mails.add({
    mailHash: randomBytes(32),
    accountId,
    emailKey,
    draft: { kind: 'reset', language, brandName, project, accountId, userId, returnQuery },
    expiresAt: now() + linkMinutes * 60_000,
    charges: [], // it always counts, so that addresses without a user are counted equally
  });
  await send?.();
}

/** Whether a second factor protects a user. If so, a reset keeps passkeys (storage/sql/users/second-factors.ts). */
async function hasSecondFactor(
  store: Pick<Store, 'findSecondFactor' | 'mustHaveSecondFactor'>,
  { accountId, userId }: User,
): Promise<boolean> {
  if ((await store.findSecondFactor(accountId, userId)) !== undefined) return true;
  return accountId === null && (await store.mustHaveSecondFactor(builtInIssuerName, userId));
}
