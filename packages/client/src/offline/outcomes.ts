/** The outcomes of this page's changes, whichever tab sends them. */
import { errorIn, type Settled } from './settled.ts';
import type { Waiting } from './waiting.ts';

/** Changes of this page with somebody waiting for the outcome. */
export class Outcomes {
  readonly #waiting: Waiting;
  readonly #asked = new Map<number, Ask>();

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  /** Resolves with the outcome of a change. */
  ask(change: Ask['change']): Promise<Settled> {
    return new Promise((resolve) => {
      this.#asked.set(change.id, { change, resolve });
    });
  }

  tell(settled: Settled): void {
    if (settled.outcome === 'unhandled') return; // a page of another release sends it
    this.#asked.get(settled.id)?.resolve(settled);
    this.#asked.delete(settled.id);
  }

  /** Reads outcomes of other tabs. Rejects if the storage fails. */
  async look(): Promise<void> {
    if (this.#asked.size === 0) return;
    const asked = [...this.#asked.values()];
    // In this order: an outcome is stored before the change is removed.
    const waiting = new Set([...(await this.#waiting.read()), ...(await this.#waiting.readAside())].map(({ id }) => id));
    const outcomes = await this.#waiting.outcomes();
    for (const { change } of asked) {
      if (waiting.has(change.id)) continue;
      const found = outcomes.find(({ ids }) => ids.some(([first, last]) => first <= change.id && change.id <= last));
      const { outcome, version } = found ?? { outcome: 'unknown' };
      this.tell({ ...change, outcome, version, error: found && errorIn(found) });
    }
  }
}

interface Ask {
  readonly change: Pick<Settled, 'id' | 'name' | 'args'>;
  readonly resolve: (settled: Settled) => void;
}
