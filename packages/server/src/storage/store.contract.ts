/**
 * The suite that every storage engine passes, in three parts that can run in parallel. An engine's own test files call them with how to
 * open it, and add only what is specific to the engine.
 */
import { describe } from 'vitest';
import type { CreateStoreHarness } from './store-contract/harness.ts';
import { federatedUsers, identityProviders, listedUsers } from './store-contract/identity/federation.ts';
import { identityResets } from './store-contract/identity/identity-resets.ts';
import { identitySignUps } from './store-contract/identity/identity-sign-ups.ts';
import { ownMethods } from './store-contract/identity/own-methods.ts';
import { passkeys, tickets } from './store-contract/identity/passkeys.ts';
import { secondFactors } from './store-contract/identity/second-factors.ts';
import { waitingMails } from './store-contract/identity/waiting-mails.ts';
import { lifetime } from './store-contract/lifetime.ts';
import { accessChanges } from './store-contract/management/access-changes.ts';
import { accounts } from './store-contract/management/accounts.ts';
import { apiKeys } from './store-contract/management/api-keys.ts';
import { auditTrail } from './store-contract/management/audit.ts';
import { deletions } from './store-contract/management/deletions.ts';
import { projects } from './store-contract/management/projects.ts';
import { schemas } from './store-contract/management/schemas.ts';
import { serviceAccounts } from './store-contract/management/service-accounts.ts';
import { authorizationCodes } from './store-contract/sign-in/authorization-codes.ts';
import { developers } from './store-contract/sign-in/developers.ts';
import { endedTokens } from './store-contract/sign-in/ended-tokens.ts';
import { invitations } from './store-contract/sign-in/invitations.ts';
import { keptKeys } from './store-contract/sign-in/kept-keys.ts';
import { members } from './store-contract/sign-in/members.ts';
import { playerAuth } from './store-contract/sign-in/player-auth.ts';
import { refreshFamilies } from './store-contract/sign-in/refresh-families.ts';
import { repeatedExchanges } from './store-contract/sign-in/repeated-exchanges.ts';
import { sessions } from './store-contract/sign-in/sessions.ts';
import { signInSweeps } from './store-contract/sign-in/sign-in-sweeps.ts';
import { signingKeys } from './store-contract/sign-in/signing-keys.ts';
import { currentVersions } from './store-contract/state/current-versions.ts';
import { publicStateAuthors } from './store-contract/state/public-state-authors.ts';
import { publicStateBounds } from './store-contract/state/public-state-bounds.ts';
import { publicStateChains } from './store-contract/state/public-state-chains.ts';
import { publicStateHistory } from './store-contract/state/public-state-history.ts';
import { publicStateWrites } from './store-contract/state/public-state-writes.ts';
import { repeats } from './store-contract/state/repeats.ts';
import { userStateDeletions } from './store-contract/state/user-state-deletions.ts';
import { fullUserStateHistory, userStateHistory } from './store-contract/state/user-state-history.ts';
import { userStatePages } from './store-contract/state/user-state-pages.ts';
import { userStates } from './store-contract/state/user-states.ts';
import { versionFloors } from './store-contract/state/version-floors.ts';
import { clockMark } from './store-contract/usage/clock-mark.ts';
import { openStreams } from './store-contract/usage/open-streams.ts';
import { rateWindows } from './store-contract/usage/rate-windows.ts';
import { requestFigures } from './store-contract/usage/request-figures.ts';
import { sizes } from './store-contract/usage/sizes.ts';
import { usage } from './store-contract/usage/usage.ts';
import { usageLimits } from './store-contract/usage/usage-limits.ts';

export type { CreateStoreHarness, StoreHarness } from './store-contract/harness.ts';

/** Declares the tests of accounts, projects, keys and state for one engine. `createHarness` is called for each test. */
export function stateContract(engine: string, createHarness: CreateStoreHarness): void {
  describe(`${engine} keeps the storage contract of state`, () => {
    describe('accounts', () => accounts(createHarness));
    describe('projects', () => projects(createHarness));
    describe('API keys', () => apiKeys(createHarness));
    describe('service accounts', () => serviceAccounts(createHarness));
    describe('schemas', () => schemas(createHarness));
    describe('public state writes', () => publicStateWrites(createHarness));
    describe('public state history', () => publicStateHistory(createHarness));
    describe('public state histories', () => publicStateChains(createHarness));
    describe('bounded public state histories', () => publicStateBounds(createHarness));
    describe('public state authors', () => publicStateAuthors(createHarness));
    describe('versions after a rollback of the store', () => versionFloors(createHarness));
    describe('current versions', () => currentVersions(createHarness));
    describe('user state', () => userStates(createHarness));
    describe('user state histories', () => userStateHistory(createHarness));
    describe('user state histories without room', () => fullUserStateHistory(createHarness));
    describe('user state pages', () => userStatePages(createHarness));
    describe('repeated writes', () => repeats(createHarness));
    describe('player deletions', () => userStateDeletions(createHarness));
  });
}

/** Declares the tests of sign-in and identity for one engine. `createHarness` is called for each test. */
export function signInContract(engine: string, createHarness: CreateStoreHarness): void {
  describe(`${engine} keeps the storage contract of sign-in`, () => {
    describe('signing keys', () => signingKeys(createHarness));
    describe('kept keys', () => keptKeys(createHarness));
    describe('sign-in settings', () => playerAuth(createHarness));
    describe('developers', () => developers(createHarness));
    describe('invitations', () => invitations(createHarness));
    describe('members', () => members(createHarness));
    describe('authorization codes', () => authorizationCodes(createHarness));
    describe('refresh-token families', () => refreshFamilies(createHarness));
    describe('repeated refresh-token exchanges', () => repeatedExchanges(createHarness));
    describe('sign-in sweeps', () => signInSweeps(createHarness));
    describe('sessions', () => sessions(createHarness));
    describe('ended access tokens', () => endedTokens(createHarness));
    describe('second factors', () => secondFactors(createHarness));
    describe('passkeys', () => passkeys(createHarness));
    describe('sign-in methods that users manage', () => ownMethods(createHarness));
    describe('tickets', () => tickets(createHarness));
    describe('identity providers', () => identityProviders(createHarness));
    describe('users from a provider', () => federatedUsers(createHarness));
    describe('listed users', () => listedUsers(createHarness));
    describe('identity sign-ups', () => identitySignUps(createHarness));
    describe('identity resets', () => identityResets(createHarness));
    describe('waiting mails', () => waitingMails(createHarness));
  });
}

/** Declares the tests of the store as a whole for one engine. `createHarness` is called for each test. */
export function wholeContract(engine: string, createHarness: CreateStoreHarness): void {
  describe(`${engine} keeps the storage contract as a whole`, () => {
    describe('deletions', () => deletions(createHarness));
    describe('account usage', () => usage(createHarness));
    describe('account limits', () => usageLimits(createHarness));
    describe('limit allotments', () => rateWindows(createHarness));
    describe('request figures', () => requestFigures(createHarness));
    describe('the clock mark', () => clockMark(createHarness));
    describe('sizes', () => sizes(createHarness));
    describe('open streams', () => openStreams(createHarness));
    describe('the audit trail', () => auditTrail(createHarness));
    describe('access changes', () => accessChanges(createHarness));
    describe('lifetime', () => lifetime(createHarness));
  });
}
