/** The texts of the service accounts page in English. */
import type { Widened } from './widened.ts';

export const texts = {
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
  shownOnceText: 'It is shown only once. If you lose it, create a new one.',
  id: 'Client ID',
  secret: 'Client secret',
  done: 'I have copied it',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete “${name}”`,
  deleteText: 'Its secrets and tokens stop working within a second. This can’t be undone.',
  deleted: 'Service account deleted',
};

export type ServiceAccountTexts = Widened<typeof texts>;
