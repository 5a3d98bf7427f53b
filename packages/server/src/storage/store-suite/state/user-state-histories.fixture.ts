/** Histories of user states in a database that a test then changes without the store's knowledge. */

import type { VersionRetention } from '../../contract/user-states.ts';
import type { Store } from '../../store.ts';
import { absent, ensureProject, version } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { newUserState, userKey } from '../sign-in/sign-in-records.ts';

export const key = userKey('ada');
export const everything: VersionRetention = { versionsMax: 1_000, keptAfter: 0 };
const long = 'x'.repeat(400);
export const nthState = (n: number): string => `{"gold":${n},"long":"${long}"}`;

/** Writes the versions up to the given one, as the service does. */
export async function writeUpTo(store: Store, last: number): Promise<void> {
  await ensureProject(store, key);
  for (;;) {
    const found = await store.readUserState(key);
    const before = found.kind === 'present' ? found.record : undefined;
    const n = before?.version ?? 0;
    if (n >= last) return;
    const next = { ...newUserState(nthState(n + 1), 1_000 * (n + 1)), before, retention: everything };
    await store.writeUserState(key, before === undefined ? absent : version(n), next);
  }
}

/** The text of each version, or why it cannot be read; `null` if there is none. */
export async function textsOf(store: Store, last: number): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  for (let n = 1; n <= last; n++) {
    try {
      const found = await store.readUserStateVersion(key, n, everything);
      texts.push(found.kind === 'present' ? found.record.stateText : null);
    } catch (error) {
      texts.push(error instanceof Error ? error.message : 'strange');
    }
  }
  return texts;
}

export const listedOf = async (store: Store): Promise<readonly number[]> => {
  const outcome = await store.listUserStateHistory(key, { before: null, itemsMax: 999, retention: everything });
  return outcome.kind === 'history' ? outcome.items.map((item) => item.version) : [];
};

export const damaged = (n: number): string =>
  `version ${n} of a user state in acc_1/p/production is damaged: what is stored is not what was written`;

export const deleteUserState = (store: Store) => store.deleteUserStates(byOperator, key, key.playerId);
