/** The texts of reviews and of undoing in German. */
import type { ReviewTexts } from './review-en.ts';

const ofVersions = (searched: string, all: string): string =>
  `${searched} von ${all} ${all === '1' ? 'Version' : 'Versionen'}`;

export const reviewDe: ReviewTexts = {
  undo: 'Änderung rückgängig machen',
  undoSome: (count) => `${count === 1 ? '1 Änderung' : `${count} Änderungen`} rückgängig machen`,
  undoTitle: (version) => `Version ${version} rückgängig machen`,
  undoText: 'Macht rückgängig, was diese Version geändert hat. Alles andere bleibt, wie es heute ist.',
  nothingToUndo: 'Das aktuelle Dokument enthält davon nichts mehr.',
  changedSince: (count) =>
    count === 1
      ? 'Ein Wert wurde seitdem erneut geändert. Er ist nicht ausgewählt.'
      : `${count} Werte wurden seitdem erneut geändert. Sie sind nicht ausgewählt.`,
  showLines: 'Als JSON anzeigen',
  hideLines: 'JSON ausblenden',
  afterwards: 'Danach',
  changes: 'Änderungen',
  flagAdded: (name) => `Flag ${name} ist neu`,
  flagRemoved: (name) => `Flag ${name} wird entfernt`,
  added: (size) => `neu, ${size}`,
  removed: (size) => `entfernt, ${size}`,
  fields: (count) => (count === 1 ? '1 Feld' : `${count} Felder`),
  entries: (count) => (count === 1 ? '1 Eintrag' : `${count} Einträge`),
  nothing: 'leer',
  isNew: 'neu',
  yes: 'ja',
  no: 'nein',
  technical: 'Technisches',
  entry: (position) => `${position}. Eintrag`,
  isGone: 'entfernt',
  newFindings: 'Neu durch Ihre Änderungen',
  oldFindings: 'Schon vorher vorhanden',
  versions: 'Versionen',
  versionsOf: (env) => `Versionen von ${env}`,
  environments: 'Umgebungen',
  proposals: 'Offene Vorschläge',
  now: (env) => `${env}, aktuell`,
  findingsMin: (count) => `Mehr als ${count - 1} Verstöße`,
  earlier: (count) => (count === 1 ? 'Ein Verstoß bestand schon vorher' : `${count} Verstöße bestanden schon vorher`),
  earlierMin: (count) => `Mindestens ${count} Verstöße bestanden schon vorher`,
  lookingFirst: 'Suche läuft …',
  looking: (searched, all) => `Suche läuft: ${ofVersions(searched, all)}`,
  lookedFound: (found, searched) =>
    searched === '1' ? 'In der neuesten Version gefunden.' : `In ${found} der neuesten ${searched} Versionen gefunden.`,
  notLooked: (count) => `${count} noch nicht durchsucht.`,
  lookedNone: (searched, all) => `Keine Änderung in ${ofVersions(searched, all)}`,
  lookedAll: () => 'Keine Version hat dieses Feld geändert.',
  checking: 'Wird geprüft …',
};
