/** Metrics of the store's size, measured in the background, on request, and not too often. */

import { Gauge, type Registry } from 'prom-client';
import { type EndedRun, keptFor } from '../common/async/kept-for.ts';
import type { RecordCounts, StoreBytes } from '../storage/contract/installation.ts';
import type { Store } from '../storage/store.ts';

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

const gauges: readonly { readonly name: string; readonly help: string; readonly of: keyof RecordCounts }[] = [
  { name: 'holdfast_accounts', help: 'Accounts.', of: 'accounts' },
  { name: 'holdfast_projects', help: 'Projects.', of: 'projects' },
  { name: 'holdfast_users', help: 'Users of the built-in identity provider.', of: 'users' },
  { name: 'holdfast_players', help: 'Players with state, each once in a project.', of: 'players' },
];
const how =
  'Every node shows those of the whole store: take the maximum. Counted every five minutes in the embedded store; estimates of the database over PostgreSQL.';

/** Shows the size of a store. Nothing is measured before the page is read. */
export function showStoreSizes(registry: Registry, store: Pick<Store, 'measureBytes' | 'countRecords'>): void {
  const bytes = measured<StoreBytes>(() => store.measureBytes(), bytesMilliseconds);
  const counts = measured<RecordCounts>(() => store.countRecords(), countsMilliseconds);
  const registers = [registry];
  new Gauge({
    name: 'holdfast_database_bytes',
    help: 'What the database takes: itself, and the write-ahead log of the embedded store.',
    labelNames: ['part'],
    registers,
    async collect() {
      const { database = null, log = null } = (await bytes()) ?? {};
      if (database !== null) this.set({ part: 'database' }, database);
      if (log !== null) this.set({ part: 'log' }, log);
    },
  });
  for (const { name, help, of } of gauges) {
    new Gauge({
      name,
      help: `${help} ${how}`,
      registers,
      async collect() {
        this.reset();
        const found = await counts();
        if (found === undefined) this.remove();
        else this.set(found[of]);
      },
    });
  }
  new Gauge({
    name: 'holdfast_documents',
    help: `Documents, by whose state they are. ${how}`,
    labelNames: ['kind'],
    registers,
    async collect() {
      const found = await counts();
      if (found === undefined) return;
      this.set({ kind: 'public_state' }, found.publicDocuments);
      this.set({ kind: 'user_state' }, found.userDocuments);
    },
  });
}
