/** The texts of the history, of its search and of comparing versions in German. */
import type { HistoryTexts } from './history-en.ts';

const ofVersions = (searched: string, all: string): string =>
  `${searched} von ${all} ${all === '1' ? 'Version' : 'Versionen'}`;

export const texts: HistoryTexts = {
  afterwards: 'Danach',
  versions: 'Versionen',
  versionsOf: (env) => `Versionen von ${env}`,
  environments: 'Umgebungen',
  proposals: 'Offene Vorschläge',
  now: (env) => `${env}, aktuell`,
  lookingFirst: 'Suche läuft …',
  looking: (searched, all) => `Suche läuft: ${ofVersions(searched, all)}`,
  lookedFound: (found, searched) =>
    searched === '1' ? 'In der neuesten Version gefunden.' : `In ${found} der neuesten ${searched} Versionen gefunden.`,
  notLooked: (count) => `${count} noch nicht durchsucht.`,
  lookedNone: (searched, all) => `Keine Änderung in ${ofVersions(searched, all)}`,
  lookedAll: () => 'Keine Version hat dieses Feld geändert.',
};
