/** The texts of changes and of undoing them in German. */
import type { ChangeTexts } from './changes-en.ts';

export const texts: ChangeTexts = {
  undo: 'Änderung rückgängig machen',
  undoSome: (count) => `${count === 1 ? '1 Änderung' : `${count} Änderungen`} rückgängig machen`,
  undoTitle: (version) => `Version ${version} rückgängig machen`,
  undoText: 'Macht rückgängig, was diese Version geändert hat. Alles andere bleibt, wie es jetzt ist.',
  nothingToUndo: 'Das aktuelle Dokument enthält davon nichts mehr.',
  changedSince: (count) =>
    count === 1
      ? 'Ein Wert wurde seitdem erneut geändert. Er ist nicht ausgewählt.'
      : `${count} Werte wurden seitdem erneut geändert. Sie sind nicht ausgewählt.`,
  showLines: 'Als JSON anzeigen',
  hideLines: 'JSON ausblenden',
  changes: 'Änderungen',
  firstVersion: 'Erste Version',
  count: (count, formatted) => (count === 1 ? '1 Änderung' : `${formatted} Änderungen`),
  noChanges: 'Nichts geändert',
  flagAdded: (name) => `Flag ${name} ist neu`,
  flagRemoved: (name) => `Flag ${name} wird entfernt`,
  fields: (count) => (count === 1 ? '1 Feld' : `${count} Felder`),
  entries: (count) => (count === 1 ? '1 Eintrag' : `${count} Einträge`),
  nothing: 'leer',
  isNew: 'Neu',
  yes: 'ja',
  no: 'nein',
  technical: 'Technisches',
  entry: (position) => `${position}. Eintrag`,
  isGone: 'Entfernt',
  newFindings: 'Neu durch Ihre Änderungen',
  oldFindings: 'Schon vorher vorhanden',
  findingsMin: (count) => `Mindestens ${count} ${count === 1 ? 'Verstoß' : 'Verstöße'}`,
  earlier: (count) => (count === 1 ? 'Ein Verstoß bestand schon vorher' : `${count} Verstöße bestanden schon vorher`),
  earlierMin: (count) =>
    count === 1 ? 'Mindestens ein Verstoß bestand schon vorher' : `Mindestens ${count} Verstöße bestanden schon vorher`,
  checking: 'Wird geprüft …',
};
