/** Metrics of the store's size, measured in the background, on request, and not too often. */

import { type EndedRun, keptFor } from '../common/async/kept-for.ts';
import type { RecordCounts, StoreBytes } from '../storage/contract/installation.ts';
import type { Store } from '../storage/store.ts';
import { byName, type Figure } from './figures.ts';

/**
 * Returns a function that returns the last measured value. It waits up to a second for the first one, and returns undefined until then.
 * Never rejects. An old value is measured again, slow ones for at most a hundredth of the time.
 */
function measured<Value>(measure: () => Promise<Value>, keptMilliseconds: number): () => Promise<Value | undefined> {
  const keep = ({ milliseconds }: EndedRun) => Math.max(keptMilliseconds, 100 * milliseconds);
  const run = keptFor(measure, keep, () => performance.now());
  let last: Value | undefined;
  return async () => {
    const measuring = run().then(
      (value) => {
        last = value;
      },
      () => undefined,
    );
    if (last === undefined) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMilliseconds);
      await Promise.race([measuring, late]);
      clearTimeout(timer);
    }
    return last;
  };
}

const patienceMilliseconds = 1_000;
const bytesMilliseconds = 10_000;
const countsMilliseconds = 300_000;

const how =
  'Every node shows those of the whole store: take the maximum. Counted every five minutes in the embedded store; estimates of the database over PostgreSQL.';

/** Returns the metrics of a store's size. Nothing is measured before they are read. */
export function sizesOfStore(store: Pick<Store, 'measureBytes' | 'countRecords'>): readonly Figure[] {
  const bytes = measured<StoreBytes>(() => store.measureBytes(), bytesMilliseconds);
  const counts = measured<RecordCounts>(() => store.countRecords(), countsMilliseconds);
  const counted = (name: string, what: string, of: keyof RecordCounts): Figure => ({
    kind: 'gauge',
    name,
    help: `${what} ${how}`,
    read: async () => (await counts())?.[of],
  });
  return [
    {
      kind: 'gauge',
      name: 'holdfast_database_bytes',
      help: 'What the database takes: itself, and the write-ahead log of the embedded store.',
      labels: ['part'],
      async read() {
        const { database = null, log = null } = (await bytes()) ?? {};
        return byName('part', { ...(database !== null && { database }), ...(log !== null && { log }) });
      },
    },
    counted('holdfast_accounts', 'Accounts.', 'accounts'),
    counted('holdfast_projects', 'Projects.', 'projects'),
    counted('holdfast_users', 'Users of the built-in identity provider.', 'users'),
    counted('holdfast_players', 'Players with state, each once in a project.', 'players'),
    {
      kind: 'gauge',
      name: 'holdfast_documents',
      help: `Documents, by whose state they are. ${how}`,
      labels: ['kind'],
      async read() {
        const found = await counts();
        return found && byName('kind', { public_state: found.publicDocuments, user_state: found.userDocuments });
      },
    },
  ];
}
