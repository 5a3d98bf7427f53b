/** The store's part that sign-in needs. */
import type { SignInStore } from '../../sign-in-store.ts';
import type { Parts } from '../parts.ts';
import { sweepSignIns } from '../sweep/sign-in-sweep.ts';
import { createAuthorizationCodes } from './authorization-codes.ts';
import { createDevelopers } from './developers.ts';
import { createEndUserAuth } from './end-user-auth.ts';
import { createRefreshFamilies } from './refresh-families.ts';
import { createSigningKeyStore } from './signing-keys.ts';

/** Returns the methods of the store that sign-in needs. */
export function createSignIns(parts: Parts): SignInStore {
  return {
    ...createSigningKeyStore(parts),
    ...createEndUserAuth(parts),
    ...createDevelopers(parts),
    ...createAuthorizationCodes(parts),
    ...createRefreshFamilies(parts),
    sweepExpiredSignIns: (now) => sweepSignIns(parts.database.query, now),
  };
}
