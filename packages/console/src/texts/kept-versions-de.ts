/** The texts of the setting for the history in German. */
import type { KeptVersionsTexts } from './kept-versions-en.ts';

export const texts: KeptVersionsTexts = {
  title: 'Verlauf der Konfiguration',
  text: 'Welche früheren Versionen in jeder Umgebung erhalten bleiben. Die aktuelle Version bleibt immer erhalten.',
  all: 'Alle Versionen',
  some: 'Nur die letzten',
  versions: 'Versionen',
  days: 'Aufbewahrung in Tagen',
  number: (max) => `Geben Sie eine ganze Zahl von 0 bis ${max} ein.`,
  warning:
    'Versionen, die eine der Grenzen überschreiten, werden in allen Umgebungen innerhalb weniger Stunden gelöscht. Danach gibt es sie nur noch in Sicherungen und Exporten.',
  ask: 'Weniger Versionen aufbewahren',
  askText: (versions, days) =>
    versions === 0 || days === 0
      ? 'Löscht alle früheren Versionen in Entwicklung, Staging und Produktion. Sie lassen sich nicht wiederherstellen.'
      : `Löscht ältere Versionen in Entwicklung, Staging und Produktion: alle vor ${versions === 1 ? 'der letzten' : `den letzten ${versions}`} und alle, die vor mehr als ${days === 1 ? 'einem Tag' : `${days} Tagen`} ersetzt wurden. Sie lassen sich nicht wiederherstellen.`,
  export: 'Vorher exportieren',
  delete: 'Ältere Versionen löschen',
  keepFewer: 'Weniger aufbewahren\u00a0…',
  saveAndKeepFewer: 'Speichern und weniger aufbewahren\u00a0…',
};
