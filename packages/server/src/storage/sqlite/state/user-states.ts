/** The store's part that keeps end-user state, on the main thread. */

import { environmentNumbers } from '../../rows.ts';
import type { QuotaLimits } from '../../usage-store.ts';
import type { UserStateStore } from '../../user-state-store.ts';
import type { Reader } from '../reader.ts';
import { type RecordCache, userStateName } from '../record-cache.ts';
import { smallCommandCharacters, writeRecord } from '../writer/changes.ts';
import type { WriteQueue } from '../writer/write-queue.ts';
import { listUserStates, readUserState } from './user-state-reads.ts';

interface Parts {
  readonly cache: RecordCache;
  readonly queue: WriteQueue;
  readonly reader: Reader;
  readonly quotas: QuotaLimits;
}

/** Returns the methods of the store that keep end-user state. */
export function createUserStates({ cache, queue, reader, quotas }: Parts): UserStateStore {
  return {
    readUserState(key) {
      const name = userStateName(key);
      const known = cache.state(name);
      if (known !== undefined) return known;
      const outcome = readUserState(reader, key);
      if (outcome.kind !== 'no_project') cache.keepState(name, key, outcome);
      return outcome;
    },

    writeUserState(key, expected, { stateText, stateBytes, stateUtf8, writtenAt }) {
      const { accountId, slug, environment, endUserId } = key;
      const expectedVersion = expected.kind === 'version' ? expected.version : null;
      const send = () =>
        queue.submit(
          stateText.length + smallCommandCharacters,
          'writeUserState',
          accountId,
          slug,
          environmentNumbers[environment],
          endUserId,
          expectedVersion,
          stateUtf8 ?? stateText,
          stateBytes,
          writtenAt,
          quotas.endUsers,
          quotas.storageBytes,
        );
      return writeRecord(cache, userStateName(key), key, send, (version) => ({ version, stateText, stateBytes }));
    },

    listUserStates: (key, page) => listUserStates(reader, key, page),

    async deleteEndUser({ accountId, slug }, endUserId) {
      const names = environments.map((environment) => userStateName({ accountId, slug, environment, endUserId }));
      for (const name of names) cache.begin(name);
      try {
        return await queue.submit(smallCommandCharacters, 'deleteEndUser', accountId, slug, endUserId);
      } finally {
        for (const name of names) cache.end(name);
      }
    },
  };
}

const environments = ['development', 'staging', 'production'] as const;
