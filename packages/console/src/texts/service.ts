/** The texts of the service accounts page in both languages. They are separate, so that other pages do not load them. */
import { useLanguage } from './index.ts';
import type { Widened } from './widened.ts';

const en = {
  title: 'Service accounts',
  lead: 'Sign-ins for builds and servers. Each gets short-lived tokens with its client ID and a secret.',
  new: 'New service account',
  newTitle: 'New service account',
  empty: 'No service accounts yet',
  emptyText: 'Create one for each build or game server. Then you can change or delete each one separately.',
  name: 'Name',
  nameHint: 'Where it is used, such as “Deploy from GitHub”.',
  secrets: 'Secrets',
  secretsTitle: (name: string) => `Secrets of “${name}”`,
  secretsText:
    'A secret is shown only once, when you create it. Two can be valid at a time: create a new one, give it to your program, then delete the old one.',
  secretId: 'ID',
  secretsFull: 'Delete one first.',
  addSecret: 'Create a secret',
  deleteSecret: 'Delete',
  deleteSecretText: 'Sign-ins with this secret will be refused. This can’t be undone.',
  secretDeleted: 'Secret deleted',
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  expired: 'Expired',
  shownOnce: 'Copy the secret now',
  shownOnceText: 'It is shown only once. The service keeps only a hash of it.',
  id: 'Client ID',
  secret: 'Client secret',
  done: 'I have copied it',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete “${name}”`,
  deleteText: 'Its secrets and tokens stop working within a second. This can’t be undone.',
  deleted: 'Service account deleted',
};

const de: Widened<typeof en> = {
  title: 'Dienstkonten',
  lead: 'Anmeldungen für Builds und Server. Jedes Dienstkonto erhält mit Client-ID und Geheimnis kurzlebige Tokens.',
  new: 'Neues Dienstkonto',
  newTitle: 'Neues Dienstkonto',
  empty: 'Noch keine Dienstkonten',
  emptyText:
    'Erstellen Sie für jeden Build oder Spielserver ein eigenes. Dann können Sie jedes einzeln ändern oder löschen.',
  name: 'Name',
  nameHint: 'Wo es verwendet wird, etwa „Deployment über GitHub“.',
  secrets: 'Geheimnisse',
  secretsTitle: (name) => `Geheimnisse von „${name}“`,
  secretsText:
    'Ein Geheimnis wird nur beim Erstellen angezeigt. Zwei können gleichzeitig gelten: Erstellen Sie ein neues, geben Sie es Ihrem Programm und löschen Sie dann das alte.',
  secretId: 'ID',
  secretsFull: 'Löschen Sie zuerst eines.',
  addSecret: 'Geheimnis erstellen',
  deleteSecret: 'Löschen',
  deleteSecretText: 'Anmeldungen mit diesem Geheimnis werden ab jetzt abgelehnt. Das lässt sich nicht rückgängig machen.',
  secretDeleted: 'Geheimnis gelöscht',
  created: 'Erstellt',
  lastUsed: 'Zuletzt verwendet',
  expires: 'Läuft ab',
  expired: 'Abgelaufen',
  shownOnce: 'Geheimnis jetzt kopieren',
  shownOnceText: 'Es wird nur dieses eine Mal angezeigt. Der Dienst speichert nur einen Hash.',
  id: 'Client-ID',
  secret: 'Client-Geheimnis',
  done: 'Ich habe es kopiert',
  delete: 'Löschen',
  deleteTitle: (name) => `„${name}“ löschen`,
  deleteText: 'Seine Geheimnisse und Tokens gelten nach einer Sekunde nicht mehr. Das lässt sich nicht rückgängig machen.',
  deleted: 'Dienstkonto gelöscht',
};

export const useServiceTexts = (): Widened<typeof en> => (useLanguage() === 'de' ? de : en);
