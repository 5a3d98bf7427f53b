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
    'Versions over either limit are deleted within hours, in every environment. After that, they exist only in backups and exports.',
  ask: 'Keep fewer versions',
  askText: (versions: number, days: number) =>
    versions === 0 || days === 0
      ? 'Deletes all earlier versions in Development, Staging and Production. They can’t be restored.'
      : `Deletes older versions in Development, Staging and Production: all before the latest ${versions}, and all replaced more than ${days} days ago. They can’t be restored.`,
  export: 'How to export first',
  delete: 'Delete older versions',
  keepFewer: 'Keep fewer versions\u00a0…',
  saveAndKeepFewer: 'Save and keep fewer versions\u00a0…',
};

const de: Widened<typeof en> = {
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
      : `Löscht ältere Versionen in Entwicklung, Staging und Produktion: alle vor den letzten ${versions} und alle, die vor mehr als ${days} Tagen ersetzt wurden. Sie lassen sich nicht wiederherstellen.`,
  export: 'Vorher exportieren: so geht es',
  delete: 'Ältere Versionen löschen',
  keepFewer: 'Weniger aufbewahren\u00a0…',
  saveAndKeepFewer: 'Speichern und weniger aufbewahren\u00a0…',
};

export const usePublicHistoryTexts = (): Widened<typeof en> => (useLanguage() === 'de' ? de : en);
