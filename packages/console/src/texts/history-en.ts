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
  looking: (searched: string, all: string) => `Searching … ${ofVersions(searched, all)}`,
  lookedFound: (found: string, searched: string) =>
    searched === '1' ? 'Found in the newest version.' : `Found in ${found} of the newest ${searched} versions.`,
  notLooked: (count: string) => `${count} not searched yet.`,
  lookedNone: (searched: string, all: string) => `No change in ${ofVersions(searched, all)}`,
  lookedAll: (_searched: string, _all: string) => 'No version changed this field.',
};

export type HistoryTexts = Widened<typeof texts>;
