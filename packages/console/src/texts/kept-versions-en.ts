/** The texts of the setting for the history in English. */
import type { Widened } from './widened.ts';

export const texts = {
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
      : `Deletes older versions in Development, Staging and Production: all before the latest ${versions === 1 ? 'one' : versions}, and all replaced more than ${days === 1 ? 'a day' : `${days} days`} ago. They can’t be restored.`,
  export: 'How to export them first',
  delete: 'Delete older versions',
  keepFewer: 'Keep fewer versions\u00a0…',
  saveAndKeepFewer: 'Save and keep fewer versions\u00a0…',
};

export type KeptVersionsTexts = Widened<typeof texts>;
