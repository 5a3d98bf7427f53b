/**
 * The suite that every storage engine passes, in three parts that can run in parallel, and a fourth with what is heavy. An engine's own
 * test files call them with how to open it, and add only what is specific to the engine.
 */
import { describe } from 'vitest';
import type { CreateStoreHarness } from './harness.ts';
import { federatedUsers, identityProviders, listedUsers } from './identity/federation.ts';
import { identityResets } from './identity/identity-resets.ts';
import { identitySignUps } from './identity/identity-sign-ups.ts';
import { ownMethods } from './identity/own-methods.ts';
import { passkeys, tickets } from './identity/passkeys.ts';
import { secondFactors } from './identity/second-factors.ts';
import { waitingMails } from './identity/waiting-mails.ts';
import { lifetime } from './lifetime.ts';
import { accessChanges, accessChangesOfOthers } from './management/access-changes.ts';
import { accounts } from './management/accounts.ts';
import { apiKeys } from './management/api-keys.ts';
import { auditTrail } from './management/audit.ts';
import { collectedChanges } from './management/collected-changes.ts';
import { deletions } from './management/deletions.ts';
import { projects } from './management/projects.ts';
import { schemas } from './management/schemas.ts';
import { serviceAccounts } from './management/service-accounts.ts';
import { webhooks } from './management/webhooks.ts';
import { authorizationCodes } from './sign-in/authorization-codes.ts';
import { developers } from './sign-in/developers.ts';
import { invitations } from './sign-in/invitations.ts';
import { keptKeys } from './sign-in/kept-keys.ts';
import { members } from './sign-in/members.ts';
import { playerAuth } from './sign-in/player-auth.ts';
import { playerWords } from './sign-in/player-words.ts';
import { refreshFamilies } from './sign-in/refresh-families.ts';
import { repeatedExchanges } from './sign-in/repeated-exchanges.ts';
import { revokedTokens } from './sign-in/revoked-tokens.ts';
import { sessions } from './sign-in/sessions.ts';
import { signInSweeps } from './sign-in/sign-in-sweeps.ts';
import { signingKeys } from './sign-in/signing-keys.ts';
import { currentVersions } from './state/current-versions.ts';
import { proposalTimes } from './state/proposal-times.ts';
import { proposals } from './state/proposals.ts';
import { publicStateAuthors } from './state/public-state-authors.ts';
import { publicStateBounds } from './state/public-state-bounds.ts';
import { publicStateChains } from './state/public-state-chains.ts';
import { publicStateHistory } from './state/public-state-history.ts';
import { publicStateWrites } from './state/public-state-writes.ts';
import { repeats } from './state/repeats.ts';
import { userStateDeletions } from './state/user-state-deletions.ts';
import { fullUserStateHistory, userStateHistory } from './state/user-state-history.ts';
import { userStatePages } from './state/user-state-pages.ts';
import { userStates } from './state/user-states.ts';
import { versionFloors } from './state/version-floors.ts';
import { clockMark } from './usage/clock-mark.ts';
import { openStreams } from './usage/open-streams.ts';
import { rateWindows } from './usage/rate-windows.ts';
import { requestFigures } from './usage/request-figures.ts';
import { sizes } from './usage/sizes.ts';
import { usage } from './usage/usage.ts';
import { usageLimits } from './usage/usage-limits.ts';

export type { CreateStoreHarness } from './harness.ts';

/** Declares the tests of accounts, projects, keys and state for one engine. `createHarness` is called for each test. */
export function stateContract(engine: string, createHarness: CreateStoreHarness): void {
  describe(`${engine} keeps the storage contract of state`, () => {
    describe('accounts', () => accounts(createHarness));
    describe('projects', () => projects(createHarness));
    describe('API keys', () => apiKeys(createHarness));
    describe('service accounts', () => serviceAccounts(createHarness));
    describe('webhooks', () => webhooks(createHarness));
    describe('changes that wait for webhooks', () => collectedChanges(createHarness));
    describe('schemas', () => schemas(createHarness));
    describe('public state writes', () => publicStateWrites(createHarness));
    describe('public state history', () => publicStateHistory(createHarness));
    describe('public state histories', () => publicStateChains(createHarness));
    describe('bounded public state histories', () => publicStateBounds(createHarness));
    describe('public state authors', () => publicStateAuthors(createHarness));
    describe('proposals', () => proposals(createHarness));
    describe('times of proposals', () => proposalTimes(createHarness));
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
    describe('words of players', () => playerWords(createHarness));
    describe('developers', () => developers(createHarness));
    describe('invitations', () => invitations(createHarness));
    describe('members', () => members(createHarness));
    describe('authorization codes', () => authorizationCodes(createHarness));
    describe('refresh-token families', () => refreshFamilies(createHarness));
    describe('repeated refresh-token exchanges', () => repeatedExchanges(createHarness));
    describe('sign-in sweeps', () => signInSweeps(createHarness));
    describe('sessions', () => sessions(createHarness));
    describe('ended access tokens', () => revokedTokens(createHarness));
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

/** Declares the heavy tests of all parts at full size for one engine. `createHarness` is called for each test. */
export function heavyContract(engine: string, createHarness: CreateStoreHarness): void {
  describe(`${engine} keeps the storage contract at full size`, () => {
    describe('accounts', () => accounts(createHarness, 'heavy'));
    describe('projects', () => projects(createHarness, 'heavy'));
    describe('API keys', () => apiKeys(createHarness, 'heavy'));
    describe('service accounts', () => serviceAccounts(createHarness, 'heavy'));
    describe('public state writes', () => publicStateWrites(createHarness, 'heavy'));
    describe('public state history', () => publicStateHistory(createHarness, 'heavy'));
    describe('public state histories', () => publicStateChains(createHarness, 'heavy'));
    describe('bounded public state histories', () => publicStateBounds(createHarness, 'heavy'));
    describe('public state authors', () => publicStateAuthors(createHarness, 'heavy'));
    describe('user state', () => userStates(createHarness, 'heavy'));
    describe('user state pages', () => userStatePages(createHarness, 'heavy'));
    describe('repeated writes', () => repeats(createHarness, 'heavy'));
    describe('player deletions', () => userStateDeletions(createHarness, 'heavy'));
    describe('authorization codes', () => authorizationCodes(createHarness, 'heavy'));
    describe('refresh-token families', () => refreshFamilies(createHarness, 'heavy'));
    describe('sign-in sweeps', () => signInSweeps(createHarness, 'heavy'));
    describe('identity resets', () => identityResets(createHarness, 'heavy'));
    describe('deletions', () => deletions(createHarness, 'heavy'));
    describe('account usage', () => usage(createHarness, 'heavy'));
    describe('access changes', () => accessChangesOfOthers(createHarness));
  });
}
