/** The texts of the setting for the history, in both languages. They are separate, so that other pages do not load them. */
import { useLanguage } from './index.ts';
import type { Widened } from './widened.ts';

const en = {
  title: 'History of the configuration',
  text: 'Which earlier versions to keep, in every environment. The current version is always kept.',
  all: 'All versions',
  some: 'Only the latest',
  versions: 'Versions',
  days: 'Days after a version was replaced',
  number: (max: number) => `Enter a whole number from 0 to ${max}.`,
  warning:
    'Versions over either limit can no longer be read, restored or compared, and are deleted within hours. Then only a backup or an export has them.',
  ask: 'Keep fewer versions',
  askText:
    'Older versions in all environments can’t be read any more, and are deleted within hours. This can’t be undone. First export what you may need: GET …/public-state/{env}/versions returns every version, “holdfast export” everything.',
  delete: 'Delete older versions',
  saved: 'Setting saved',
};

const de: Widened<typeof en> = {
  title: 'Verlauf der Konfiguration',
  text: 'Welche früheren Versionen in jeder Umgebung erhalten bleiben. Die aktuelle Version bleibt immer erhalten.',
  all: 'Alle Versionen',
  some: 'Nur die letzten',
  versions: 'Versionen',
  days: 'Tage nach dem Ersetzen einer Version',
  number: (max) => `Geben Sie eine ganze Zahl von 0 bis ${max} ein.`,
  warning:
    'Versionen über einer der beiden Grenzen lassen sich nicht mehr lesen, wiederherstellen oder vergleichen und werden innerhalb von Stunden gelöscht. Danach gibt es sie nur noch in einer Sicherung oder einem Export.',
  ask: 'Weniger Versionen aufbewahren',
  askText:
    'Ältere Versionen aller Umgebungen lassen sich nicht mehr lesen und werden innerhalb von Stunden gelöscht. Das lässt sich nicht rückgängig machen. Exportieren Sie vorher, was Sie noch brauchen: GET …/public-state/{env}/versions liefert jede Version, „holdfast export“ alles.',
  delete: 'Ältere Versionen löschen',
  saved: 'Einstellung gespeichert',
};

export const usePublicHistoryTexts = (): Widened<typeof en> => (useLanguage() === 'de' ? de : en);
