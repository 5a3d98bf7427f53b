/** The texts of the service accounts page in German. */
import type { ServiceAccountTexts } from './service-accounts-en.ts';

export const texts: ServiceAccountTexts = {
  title: 'Dienstkonten',
  lead: 'Anmeldungen für Builds und Server. Jedes Dienstkonto erhält mit Client-ID und Geheimnis kurzlebige Tokens.',
  new: 'Neues Dienstkonto',
  newTitle: 'Neues Dienstkonto',
  empty: 'Noch keine Dienstkonten',
  emptyText:
    'Erstellen Sie für jeden Build oder Spielserver ein eigenes. Dann können Sie jedes einzeln ändern oder löschen.',
  name: 'Name',
  nameHint: 'Wo es verwendet wird, etwa „Deployment mit GitHub“.',
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
  shownOnceText: 'Es wird nur dieses eine Mal angezeigt. Wenn Sie es verlieren, erstellen Sie ein neues.',
  id: 'Client-ID',
  secret: 'Client-Geheimnis',
  done: 'Ich habe es kopiert',
  delete: 'Löschen',
  deleteTitle: (name) => `„${name}“ löschen`,
  deleteText: 'Seine Geheimnisse und Tokens gelten nach einer Sekunde nicht mehr. Das lässt sich nicht rückgängig machen.',
  deleted: 'Dienstkonto gelöscht',
};
