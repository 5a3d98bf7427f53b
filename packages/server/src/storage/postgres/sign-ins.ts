/** The store's part that sign-in needs. */
import type { SignInStore } from '../sign-in-store.ts';
import { createAuthorizationCodes } from './authorization-codes.ts';
import { createDevelopers } from './developers.ts';
import { createEndUserAuth } from './end-user-auth.ts';
import type { Parts } from './parts.ts';
import { createRefreshFamilies } from './refresh-families.ts';
import { sweepSignIns } from './sign-in-sweep.ts';

/** Returns the methods of the store that sign-in needs. */
export function createSignIns(parts: Parts): SignInStore {
  return {
    ...createEndUserAuth(parts),
    ...createDevelopers(parts),
    ...createAuthorizationCodes(parts),
    ...createRefreshFamilies(parts),
    sweepExpiredSignIns: (now) => sweepSignIns(parts.database.query, now),
  };
}
