/** Progress of long work, on a terminal only: scripts and logs see results, not how they came about. */

import type { CheckName } from '../storage/sqlite/inspect/inspect.ts';

/** What is shown while a database is examined. */
export const checkTitles: Readonly<Record<CheckName, string>> = {
  schema: 'Looking at the schema',
  integrity: 'Checking pages and indexes',
  history: 'Checking versions',
  references: 'Checking references',
  usage: 'Adding up what accounts use',
};

export interface Progress {
  /** Shows what is being done and, where that is known, what share of it is, from 0 to 1. */
  show(step: string, share?: number): void;
  /** Takes the line away. */
  end(): void;
}

/** Characters of the bar. */
const barLength = 20;

function barOf(share: number): string {
  const length = Math.floor(share * barLength);
  return `[${'#'.repeat(length)}${'-'.repeat(barLength - length)}] ${String(Math.floor(share * 100)).padStart(3)} %  `;
}

/** Between two changes of the line. */
const pauseMilliseconds = 100;

/** Returns progress as one line of `stream`, written over again and again; nothing at all when that is no terminal. */
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
