/** Metrics of the store's size, measured in the background, on request, and not too often. */
import { Gauge, type Registry } from 'prom-client';
import type { RecordCounts, StoreBytes } from '../storage/contract/installation.ts';
import type { Store } from '../storage/store.ts';

/** A value that is measured again if it is old when requested. The request gets the last value. */
export class Remembered<Value> {
  readonly #measure: () => Promise<Value>;
  readonly #keptMilliseconds: number;
  readonly #now: () => number;
  #value: Value | undefined;
  #dueAt = 0;
  #underWay: Promise<void> | undefined;

  /** `now` is in milliseconds, of a clock that never goes back. */
  constructor(measure: () => Promise<Value>, keptMilliseconds: number, now: () => number) {
    this.#measure = measure;
    this.#keptMilliseconds = keptMilliseconds;
    this.#now = now;
  }

  /** Returns the last value. Waits briefly for the first one; undefined until then. Never rejects. */
  async read(patienceMilliseconds = 1_000): Promise<Value | undefined> {
    if (this.#now() >= this.#dueAt) this.#underWay ??= this.#renew();
    if (this.#value === undefined && this.#underWay !== undefined) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMilliseconds);
      await Promise.race([this.#underWay, late]);
      clearTimeout(timer);
    }
    return this.#value;
  }

  /** Slow measurements run less often, for at most a hundredth of the time. A failed one is retried as late as after a success. */
  async #renew(): Promise<void> {
    const begun = this.#now();
    this.#value = await this.#measure().catch(() => this.#value);
    const ended = this.#now();
    this.#dueAt = ended + Math.max(this.#keptMilliseconds, 100 * (ended - begun));
    this.#underWay = undefined;
  }
}

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
  const clock = () => performance.now();
  const bytes = new Remembered<StoreBytes>(() => store.measureBytes(), bytesMilliseconds, clock);
  const counts = new Remembered<RecordCounts>(() => store.countRecords(), countsMilliseconds, clock);
  const registers = [registry];
  new Gauge({
    name: 'holdfast_database_bytes',
    help: 'What the database takes: itself, and the write-ahead log of the embedded store.',
    labelNames: ['part'],
    registers,
    async collect() {
      const { database = null, log = null } = (await bytes.read()) ?? {};
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
        const found = await counts.read();
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
      const found = await counts.read();
      if (found === undefined) return;
      this.set({ kind: 'public_state' }, found.publicDocuments);
      this.set({ kind: 'user_state' }, found.userDocuments);
    },
  });
}
