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
  looked: (found, searched, all) =>
    `${found === 0 ? 'Keine Änderung' : found === 1 ? '1 Änderung' : `${found} Änderungen`} gefunden · ${ofVersions(searched, all)} durchsucht`,
  stop: 'Stoppen',
  lookedAll: 'Keine Version hat dieses Feld geändert.',
};
