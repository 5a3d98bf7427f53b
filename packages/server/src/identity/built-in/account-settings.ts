/** Reads and changes a person's own sign-in, for the page *Your sign-in*. */
import { hash } from 'node:crypto';
import { isStrong } from '../../access/rules/account-status.ts';
import type { ChangedBy } from '../../storage/contract/audit.ts';
import { builtInIssuerName, type User } from '../../storage/contract/identity.ts';
import type { Passkey } from '../../storage/contract/own-methods.ts';
import type { AddedLink, LastOwner, ProviderLink, RemovedMethod, Session } from '../../storage/contract/sessions.ts';
import type { Store } from '../../storage/store.ts';
import { type Directory, directoryKey, type Requester } from './directory.ts';
import type { PasswordHasher } from './passwords/password-hash.ts';
import type { Busy, Invalid } from './passwords/password-identity.ts';
import { passwordFaults } from './passwords/password-rules.ts';
import { ownerOf } from './passwords/password-shared.ts';
import type { Proven } from './pending-sign-ins.ts';

/** A session under a name that only its owner learns and no token contains. */
export interface UserSession extends Omit<Session, 'familyId'> {
  readonly sessionId: string;
  /** The name of the account to which a developer is signed in. */
  readonly accountName: string | undefined;
}

export interface Overview {
  readonly hasPassword: boolean;
  /** Whether the person has proven an email address. If so, a password can be set without a mail, and passkeys can be created. */
  readonly isEmailProven: boolean;
  /** Whether there is only one way to sign in, which therefore cannot be removed. */
  readonly isLastMethod: boolean;
  readonly passkeys: readonly Passkey[];
  readonly links: readonly ProviderLink[];
  readonly sessions: readonly UserSession[];
}

/** Something changed at `changedAt`; earlier proof no longer counts. */
type Changed = { readonly kind: 'changed'; readonly changedAt: number };

export interface AccountSettings {
  /** Returns the user, if the proof still counts: no sessions were ended since, and the second factor, if any, was used. */
  userOf(directory: Directory, proven: Proven): Promise<User | undefined>;
  read(directory: Directory, userId: string): Promise<Overview>;
  /** Sets the password of somebody with a proven address, and ends all sessions, like a reset. Passkeys and the second factor stay. */
  changePassword(
    requester: Requester,
    user: User,
    password: string,
  ): Promise<Changed | Invalid | Busy | { readonly kind: 'gone' }>;
  /** Ends all sessions too. */
  removePassword(directory: Directory, userId: string): Promise<Changed | { readonly kind: RemovedMethod }>;
  removePasskey(directory: Directory, userId: string, credentialId: string): Promise<RemovedMethod>;
  /** Adds a just-proven identity as a sign-in method. */
  addLink(directory: Directory, userId: string, link: ProviderLink): Promise<AddedLink>;
  removeLink(directory: Directory, userId: string, link: ProviderLink): Promise<RemovedMethod>;
  /** Ends one session; `absent` if it belongs to somebody else. */
  endSession(directory: Directory, userId: string, sessionId: string): Promise<'ended' | 'absent'>;
  endSessions(directory: Directory, userId: string): Promise<Changed | { readonly kind: 'gone' }>;
  /** Deletes the sign-in of a developer. Audit trails of accounts keep the member's name. */
  deleteDeveloper(by: ChangedBy, userId: string): Promise<{ readonly kind: 'deleted' | 'absent' } | LastOwner>;
}

export interface AccountSettingsOptions {
  readonly store: Pick<
    Store,
    | 'listSessions'
    | 'endSessions'
    | 'changePassword'
    | 'forgetFactors'
    | 'confirmPassword'
    | 'removePassword'
    | 'removePasskey'
    | 'listProviderLinks'
    | 'addProviderLink'
    | 'removeProviderLink'
    | 'deleteDeveloper'
    | 'findUser'
    | 'listPasskeys'
    | 'findSecondFactor'
    | 'findAccount'
    | 'listMemberships'
    | 'forgetAccess'
    | 'revokeRefreshFamily'
  >;
  readonly hasher: PasswordHasher;
  readonly now: () => number;
}

/** Maximum for all providers together. */
const linksMax = 20;

const sessionIdOf = ({ familyId }: Session): string => hash('sha256', familyId, 'base64url').slice(0, 22);

/** Returns the reads and changes of the page *Your sign-in*, without HTML. */
export function createAccountSettings(options: AccountSettingsOptions): AccountSettings {
  const { store, now } = options;
  return {
    async userOf(directory, { accountId, person, amr, provenAt }) {
      if (accountId !== directoryKey(directory)) return undefined;
      const user = await store.findUser(accountId, person.userId);
      if (user === undefined || (user.resetAt !== null && provenAt <= user.resetAt)) return undefined;
      if (isStrong(amr.join(' '))) return user;
      return (await store.findSecondFactor(accountId, user.userId)) === undefined ? user : undefined;
    },
    read: (directory, userId) => read(options, directory, userId),
    changePassword: (requester, user, password) => changePassword(options, requester, user, password),
    removePasskey: (directory, userId, credentialId) => store.removePasskey(directoryKey(directory), userId, credentialId),
    addLink: (directory, userId, link) => store.addProviderLink(directoryKey(directory), userId, link, linksMax),
    removeLink: (directory, userId, link) => store.removeProviderLink(directoryKey(directory), userId, link),
    async removePassword(directory, userId) {
      const changedAt = now();
      const outcome = await store.removePassword(directoryKey(directory), userId, changedAt);
      return outcome === 'removed' ? { kind: 'changed', changedAt } : { kind: outcome };
    },
    async endSession(directory, userId, sessionId) {
      const sessions = await store.listSessions(directoryKey(directory), userId, now());
      const session = sessions.find((each) => sessionIdOf(each) === sessionId);
      if (session === undefined) return 'absent';
      await store.revokeRefreshFamily(session.familyId, now());
      return 'ended';
    },
    async endSessions(directory, userId) {
      const changedAt = now();
      const outcome = await store.endSessions(directoryKey(directory), userId, changedAt);
      return outcome === 'ended' ? { kind: 'changed', changedAt } : { kind: 'gone' };
    },
    async deleteDeveloper(by, userId) {
      const memberships = await store.listMemberships(builtInIssuerName, userId);
      const outcome = await store.deleteDeveloper(by, userId);
      if (outcome.kind === 'deleted') {
        for (const { account } of memberships) await store.forgetAccess(account.accountId); // their tokens end now
      }
      return outcome;
    },
  };
}

async function read({ store, now }: AccountSettingsOptions, directory: Directory, userId: string): Promise<Overview> {
  const accountId = directoryKey(directory);
  const [user, passkeys, links, sessions] = await Promise.all([
    store.findUser(accountId, userId),
    store.listPasskeys(accountId, userId),
    store.listProviderLinks(accountId, userId),
    store.listSessions(accountId, userId, now()),
  ]);
  const ids = accountId === null ? [...new Set(sessions.map((session) => session.accountId))] : [];
  const accounts = await Promise.all(ids.map((id) => store.findAccount(id)));
  const nameOf = (id: string) => accounts.find((account) => account?.accountId === id)?.name;
  const hasPassword = user !== undefined && user.passwordHash !== null;
  return {
    hasPassword,
    isEmailProven: user !== undefined && user.emailKey !== null,
    isLastMethod: passkeys.length + links.length + (hasPassword ? 1 : 0) < 2,
    passkeys,
    links,
    sessions: sessions.map((session) => {
      const { familyId: _, ...shown } = session;
      return { ...shown, sessionId: sessionIdOf(session), accountName: nameOf(session.accountId) };
    }),
  };
}

async function changePassword(
  { store, hasher, now }: AccountSettingsOptions,
  requester: Requester,
  { userId, email, resetAt }: User,
  password: string,
): Promise<Changed | Invalid | Busy | { readonly kind: 'gone' }> {
  const faults = await passwordFaults(password, email ?? undefined);
  if (faults.length > 0) return { kind: 'invalid', faults };
  const passwordHash = await hasher.hash(ownerOf(requester), password);
  if (passwordHash === 'busy') return { kind: 'busy' };
  const accountId = directoryKey(requester.directory);
  // All sessions may have been ended while the password was hashed.
  const current = await store.findUser(accountId, userId);
  if (current === undefined || current.resetAt !== resetAt) return { kind: 'gone' };
  const changedAt = now();
  const outcome = await store.changePassword(accountId, userId, passwordHash, changedAt);
  return outcome === 'changed' ? { kind: 'changed', changedAt } : { kind: 'gone' };
}
