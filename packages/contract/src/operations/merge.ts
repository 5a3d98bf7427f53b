/** How a guest becomes part of a player who can sign in. */
import type { Operation } from '../operation.ts';
import { admission, json, project, reading } from './shared.ts';

export const mergeOperations = {
  mergeGuest: {
    method: 'POST',
    path: `${project}/me/merge`,
    tag: 'User state',
    summary: 'Merge a guest into your player',
    description: `For a guest whose identity was in use already (\`link: in_use\`): one of the two players is left, the one whom the access token names. Read both saves, decide what the player goes on with, and send that as \`state\` with both versions.

Where both have a save, the guest's becomes the next version of yours, and \`state\` comes after it. Saves that only the guest has become yours, in every environment and project of the account. The guest ends: its key is no good any more.

If either save is not at the version that you name, the response is 412 \`version_conflict\`, before \`state\` is checked. A guest without a save in any project of the account is not merged: 409 \`nothing_to_merge\`. What the merge stores counts as storage of the account.

With \`Idempotency-Key\`, a merge whose answer was lost can be sent again, with a new assertion.`,
    access: ['end_user'],
    repeatable: true,
    body: { ...json('MergeBody'), asSent: 2_097_152 },
    success: { 200: { description: 'The version that was written.', schema: 'UserStateBody', entityTag: true } },
    codes: [
      ...admission,
      ...reading,
      'version_conflict',
      'idempotency_key_reused',
      'player_blocked',
      'nothing_to_merge',
      'upgrade_unfinished',
    ],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE'],
  },
} as const satisfies Record<string, Operation>;
