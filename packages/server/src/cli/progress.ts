/** Progress of long work, on a terminal only. Scripts and logs get only the results. */

import type { CheckName } from '../storage/sqlite/inspect/inspect.ts';

/** The text while a database is examined. */
export const checkTitles: Readonly<Record<CheckName, string>> = {
  migrations: 'Comparing migrations',
  schema: 'Looking at the schema',
  integrity: 'Checking pages and indexes',
  history: 'Checking versions',
  references: 'Checking references',
  usage: 'Adding up what accounts use',
};

export interface Progress {
  /** Shows the current work and, if known, its completed part, from 0 to 1. */
  show(step: string, share?: number): void;
  /** Removes the line. */
  end(): void;
}

/** Width of the bar, in characters. */
const barLength = 20;

function barOf(share: number): string {
  const length = Math.floor(share * barLength);
  return `[${'#'.repeat(length)}${'-'.repeat(barLength - length)}] ${String(Math.floor(share * 100)).padStart(3)} %  `;
}

/** Time between two updates of the line. */
const pauseMilliseconds = 100;

/** Returns progress as one line of `stream` that is overwritten. Writes nothing if `stream` is not a terminal. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  let shownStep = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(step, share) {
      const now = performance.now();
      if (step === shownStep && now - shownAt < pauseMilliseconds) return;
      shownStep = step;
      shownAt = now;
      stream.write(`\r\u001b[K${share === undefined ? '' : barOf(share)}${step} …`);
    },
    end() {
      if (shownStep !== '') stream.write('\r\u001b[K');
      shownStep = '';
    },
  };
}
