/** Metrics of what other parts count. Their values are read when the page is. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Awaitable } from '../common/async/awaitable.ts';

type Labels = Readonly<Record<string, string>>;

/** A value, or one for each combination of labels; undefined while none is known. */
export type Reading = number | Iterable<readonly [Labels, number]> | undefined;

export interface Figure {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly read: () => Awaitable<Reading>;
}

/** Returns a reading with one label: the names of a record are its values. */
export const byName = (label: string, record: Readonly<Record<string, number>>): Reading =>
  Object.entries(record).map(([name, value]) => [{ [label]: name }, value] as const);

/** Adds metrics to a page. Nothing is read before the page is. */
export function showFigures(registry: Registry, figures: readonly Figure[]): void {
  for (const { kind, name, help, labels = [], read } of figures) {
    const settings = { name, help, labelNames: [...labels], registers: [registry] };
    /** Empties a metric, and returns what it shows now. The caller adds that at once: pages may be read at the same time. */
    const emptied = (metric: Counter | Gauge, reading: Reading) => {
      metric.reset(); // a metric without labels is then 0
      if (reading === undefined && labels.length === 0) metric.remove();
      return typeof reading === 'number' ? [[{}, reading] as const] : (reading ?? []);
    };
    if (kind === 'counter') {
      new Counter({
        ...settings,
        async collect() {
          const reading = await read();
          for (const [of, value] of emptied(this, reading)) this.inc(of, value);
        },
      });
    } else {
      new Gauge({
        ...settings,
        async collect() {
          const reading = await read();
          for (const [of, value] of emptied(this, reading)) this.set(of, value);
        },
      });
    }
  }
}
