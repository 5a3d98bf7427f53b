/**
 * Environment of a server process on a machine with a wrong clock: its dates are ahead by `days`, and its timers of a minute fire every
 * second. The monotonic clock is unchanged.
 */
export function clockAhead(days: number): Readonly<Record<string, string>> {
  const script = `
    const Machine = Date;
    const ahead = ${days * 24 * 60 * 60 * 1000};
    globalThis.Date = class extends Machine {
      constructor(...given) {
        super(...(given.length === 0 ? [Machine.now() + ahead] : given));
      }
      static now() {
        return Machine.now() + ahead;
      }
    };
    const { setInterval: repeat } = globalThis;
    globalThis.setInterval = (work, milliseconds, ...given) => repeat(work, milliseconds === 60000 ? 1000 : milliseconds, ...given);`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
