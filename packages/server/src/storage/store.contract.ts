/**
 * The suite that every storage engine passes. An engine's own test file calls `storeContract` with how to open it, and adds
 * only what is special to the engine.
 */
import { describe } from 'vitest';
import { accessChanges } from './store-contract/access-changes.ts';
import { accounts } from './store-contract/accounts.ts';
import { apiKeys } from './store-contract/api-keys.ts';
import { authorizationCodes } from './store-contract/authorization-codes.ts';
import { deletions } from './store-contract/deletions.ts';
import { developers } from './store-contract/developers.ts';
import { endUserAuth } from './store-contract/end-user-auth.ts';
import { endUserDeletions } from './store-contract/end-user-deletions.ts';
import type { CreateStoreHarness } from './store-contract/harness.ts';
import { lifetime } from './store-contract/lifetime.ts';
import { projects } from './store-contract/projects.ts';
import { publicStateHistory } from './store-contract/public-state-history.ts';
import { publicStateWrites } from './store-contract/public-state-writes.ts';
import { refreshFamilies } from './store-contract/refresh-families.ts';
import { signInSweeps } from './store-contract/sign-in-sweeps.ts';
import { signingKeys } from './store-contract/signing-keys.ts';
import { userStatePages } from './store-contract/user-state-pages.ts';
import { userStates } from './store-contract/user-states.ts';

export type { CreateStoreHarness, StoreHarness } from './store-contract/harness.ts';

/** Declares the tests of the storage contract for one engine. `createHarness` is called for each test. */
export function storeContract(engine: string, createHarness: CreateStoreHarness): void {
  describe(`${engine} keeps the storage contract`, () => {
    describe('accounts', () => accounts(createHarness));
    describe('projects', () => projects(createHarness));
    describe('API keys', () => apiKeys(createHarness));
    describe('signing keys', () => signingKeys(createHarness));
    describe('writes of public state', () => publicStateWrites(createHarness));
    describe('history of public state', () => publicStateHistory(createHarness));
    describe('user state', () => userStates(createHarness));
    describe('pages of user state', () => userStatePages(createHarness));
    describe('deletions of end users', () => endUserDeletions(createHarness));
    describe('end-user sign-in settings', () => endUserAuth(createHarness));
    describe('developers', () => developers(createHarness));
    describe('authorization codes', () => authorizationCodes(createHarness));
    describe('refresh-token families', () => refreshFamilies(createHarness));
    describe('sweeps of sign-ins', () => signInSweeps(createHarness));
    describe('deletions', () => deletions(createHarness));
    describe('access changes', () => accessChanges(createHarness));
    describe('lifetime', () => lifetime(createHarness));
  });
}
