/** Metrics of this machine's clock. */
import { Gauge, type Registry } from 'prom-client';

export interface ClockGauges {
  /** The clock of the database is this many seconds ahead. */
  measured(seconds: number): void;
  /** The clock is believed, or not. */
  checked(isTrusted: boolean): void;
}

/** Registers the gauges. The offset appears with its first measurement, so the embedded engine shows none. */
export function showClock(registry: Registry): ClockGauges {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [] });
  const offset = gauge(
    'holdfast_clock_offset_seconds',
    'How far the clock of the database is ahead of that of this machine. The service follows the database.',
  );
  const isHeld = gauge(
    'holdfast_clock_doubted',
    'Whether the clock is more than a day ahead of the last time the service ran, so that expired data is not removed: 1, or 0.',
  );
  registry.registerMetric(isHeld);
  return {
    measured(seconds) {
      if (registry.getSingleMetric('holdfast_clock_offset_seconds') === undefined) registry.registerMetric(offset);
      offset.set(seconds);
    },
    checked: (isTrusted) => isHeld.set(isTrusted ? 0 : 1),
  };
}
