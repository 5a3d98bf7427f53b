/** The texts of the history, of its search and of comparing versions in English. */
import type { Widened } from './widened.ts';

const ofVersions = (searched: string, all: string): string =>
  `${searched} of ${all} ${all === '1' ? 'version' : 'versions'}`;

export const texts = {
  afterwards: 'Afterwards',
  versions: 'Versions',
  versionsOf: (env: string) => `Versions of ${env}`,
  environments: 'Environments',
  proposals: 'Open proposals',
  now: (env: string) => `${env}, now`,
  lookingFirst: 'Searching …',
  looked: (found: number, searched: string, all: string) =>
    `${found === 0 ? 'No changes' : found === 1 ? '1 change' : `${found} changes`} found · ${ofVersions(searched, all)} searched`,
  stop: 'Stop',
  lookedAll: 'No version changed this field.',
};

export type HistoryTexts = Widened<typeof texts>;
