/** Merging a guest into a player who can sign in. */
import type { Operation } from '../operation.ts';
import { admission, json, project, reading } from './shared.ts';

export const mergeOperations = {
  mergeGuest: {
    method: 'POST',
    path: `${project}/me/merge`,
    tag: 'User state',
    summary: 'Merge a guest into your player',
    description: `For a guest whose identity was in use already (\`link: in_use\`): one of the two players is left, the one whom the access token names. Read both saves, decide what the player goes on with, and send that as \`state\` with both versions.

A merge is one transaction over all environments and projects of the account:

- Where both have a save, the guest's becomes the next version of yours, and \`state\` comes after it; elsewhere your own save comes after it again. Change streams show the last one only.
- A save that only the guest has becomes yours, perhaps with a higher version. Where \`state\` is something else, it is the next version.
- The guest ends on every node. Nothing is written for its id any more: an open tab gets 404 or 412. Its key gives \`invalid_grant\` with the description \`guest_upgraded\`.

If either save is not at the version that you name, the response is 412 \`version_conflict\`, before \`state\` is checked. Other refusals:

- 400 \`validation_error\`: the assertion is invalid or was used before; the guest has already signed up or been merged; neither has a save in the environment of the token, although the guest has one elsewhere.
- 402 \`QUOTA_STORAGE\`: the account has no room for what the merge adds, which counts as storage.
- 403 \`forbidden\`: the token is that of a guest.
- 409 \`nothing_to_merge\`: the guest has no save in any project of the account; it stays as it is, and so does its key.
- 409 \`player_blocked\`: one of the two is blocked in a project of the account.
- 422 \`idempotency_key_reused\`: the key was sent with another \`state\` or version.

A refused merge changes nothing. It leaves the assertion usable, unless it reached the transaction.

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
