/** Merging a guest into a player who can sign in. */
import type { Operation } from '../operation.ts';
import { admission, json, project, reading } from './shared.ts';

export const mergeOperations = {
  mergeGuest: {
    method: 'POST',
    path: `${project}/me/merge`,
    tag: 'User state',
    summary: 'Merge a guest into your player',
    description: `For a guest whose identity was already in use (\`link: in_use\`): only the player of the access token remains. Read both saves, decide which state the player continues with, and send it as \`state\` with both versions.

A merge is one transaction over all environments and projects of the account:

- Where both have a save, the guest's becomes the next version of yours, followed by \`state\`; in other environments and projects your own save follows it again. Change streams show only the last version.
- A save that only the guest has becomes yours, possibly with a higher version. If \`state\` differs from it, \`state\` is the next version.
- The guest ends on every node. Its id can no longer be written: an open tab gets 404 or 412. Its key gets \`invalid_grant\` with the description \`guest_upgraded\`.

If either save is not at the version you sent, the response is 412 \`version_conflict\`, before \`state\` is checked. Other errors:

- 400 \`validation_error\`: the assertion is invalid or was used before; the guest has already signed up or been merged; neither player has a save in the environment of the token, although the guest has one elsewhere.
- 402 \`QUOTA_STORAGE\`: the merge would exceed the storage limit of the account.
- 403 \`forbidden\`: the token belongs to a guest.
- 409 \`nothing_to_merge\`: the guest has no save in any project of the account; the guest and its key stay as they are.
- 409 \`player_blocked\`: one of the two players is blocked in a project of the account.
- 422 \`idempotency_key_reused\`: the key was sent with another \`state\` or version.

A refused merge changes nothing. The assertion stays usable, unless the merge reached the transaction.

With \`Idempotency-Key\`, a merge whose response was lost can be sent again, with a new assertion.`,
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
