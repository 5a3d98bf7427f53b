/** Public state and user state. */
import type { Operation } from '../operation.ts';
import { admission, json, metered, noContent, paging, patchCodes, project, reading, watching } from './shared.ts';

const keyOfOtherProject = { otherErrors: { 403: 'empty' } } as const;

/** @see docs/contract.md §4.3 */
const onePrecondition =
  'Send exactly one of `If-Match: "N"`, to change version N, and `If-None-Match: *`, to create the document: sending neither is 400, sending both is 412.';

/** @see docs/contract.md §3.7 */
const protection =
  'In a protected environment, the write needs a `comment`, and API keys get 403. Where the project requires approvals, the response is 403 `approval_required`: propose the change.';

/** Steps for a client after a 412. */
const conflictRound = `If somebody else wrote first, the response is 412 with the stored version, and nothing was written:

- \`If-Match: "2"\` while version 3 is stored: 412 with \`currentVersion: 3\` and \`ETag: "3"\`.
- Read the document again and apply the change to it.
- Write with \`If-Match: "3"\`.

If the response is lost, send the same request again with the same \`Idempotency-Key\`: it is carried out only once. The response is the original one, or 412 with \`appliedVersion\` if a newer version has been written since.`;

/** How a client follows a document. */
const changeRules = `With \`Accept: text/event-stream\`, the response is a stream of server-sent events that lasts until the token expires, for half an hour at most. Otherwise, the response comes with the first change, or with 204 if nothing changes within \`wait\`.

- \`snapshot\` has the whole document: the first event, or sent when a client is too far behind.
- \`change\` has the operations from version \`from\` to \`version\`, or \`refetch: true\` if they are too long.
- \`reset\` has the whole document that replaces a deleted one, or nulls.
- \`goodbye\` says why the stream ends, and how many milliseconds to wait before connecting again.

Connect again with the last event id in \`Last-Event-ID\` or \`since\`: no change is lost or sent twice.`;

export const stateOperations = {
  readPublicState: {
    method: 'GET',
    path: `${project}/public-state/{env}`,
    tag: 'Public state',
    summary: 'Read the document',
    description:
      'Returns the current version with its entity tag, or 204 if nothing has been written. With `If-None-Match: "N"`, the response is 304 without a body while version N is current, which makes frequent polling cheap.',
    access: ['developer', 'api_key'],
    needs: 'read',
    publishable: true,
    success: {
      200: { description: 'The current version.', schema: 'PublicStateBody', entityTag: true },
      204: { description: 'Nothing has been written to this environment.' },
      304: { description: 'The version named in `If-None-Match` is the current one.', entityTag: true },
    },
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },
  replacePublicState: {
    method: 'PUT',
    path: `${project}/public-state/{env}`,
    tag: 'Public state',
    summary: 'Replace the document',
    description: `Replaces the stored document. ${onePrecondition} ${protection}

${conflictRound}`,
    access: ['developer', 'api_key'],
    needs: 'write_state',
    audit: 'state.write',
    precondition: true,
    repeatable: true,
    body: json('CreateConfigBody'),
    success: { 200: { description: 'The version that was written.', schema: 'PublicStateBody', entityTag: true } },
    writesDirectly: true,
    codes: [...admission, ...reading, 'approval_required', 'version_conflict', 'idempotency_key_reused'],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE'],
    ...keyOfOtherProject,
  },
  patchPublicState: {
    method: 'PATCH',
    path: `${project}/public-state/{env}`,
    tag: 'Public state',
    summary: 'Patch the document',
    description: `Applies \`add\`, \`remove\` and \`replace\` to the stored document in order, all or none (RFC 6902). A patch that creates the document starts from \`{}\`. ${onePrecondition} ${protection}

${conflictRound}`,
    access: ['developer', 'api_key'],
    needs: 'write_state',
    audit: 'state.write',
    precondition: true,
    repeatable: true,
    body: json('PatchStateBody'),
    success: { 200: { description: 'The version that was written.', schema: 'PublicStateBody', entityTag: true } },
    writesDirectly: true,
    codes: [...admission, ...reading, 'approval_required', 'version_conflict', 'idempotency_key_reused', ...patchCodes],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE'],
    ...keyOfOtherProject,
  },
  listPublicStateVersions: {
    method: 'GET',
    path: `${project}/public-state/{env}/versions`,
    tag: 'Public state',
    summary: 'List every version, newest first',
    description:
      'Returns the whole history as one array, which can be long: parse it as a stream, or read single versions. Before the first write, the array is empty. With `Accept-Encoding: gzip`, a long list is compressed. Its entity tag is weak: use it in `If-None-Match`, not for writes.',
    access: ['developer', 'api_key'],
    needs: 'read',
    success: {
      200: {
        description: 'All versions; an empty array before the first.',
        schema: 'PublicStateBody',
        array: true,
      },
      304: { description: 'The list named in `If-None-Match` is the current one.' },
    },
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },
  readPublicStateVersion: {
    method: 'GET',
    path: `${project}/public-state/{env}/versions/{version}`,
    tag: 'Public state',
    summary: 'Read one version',
    description: 'Returns a version as it was written; 404 if it does not exist. Versions never change.',
    access: ['developer', 'api_key'],
    needs: 'read',
    success: { 200: { description: 'The requested version.', schema: 'PublicStateBody', entityTag: true } },
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },

  listPublicStateHistory: {
    method: 'GET',
    path: `${project}/public-state/{env}/history`,
    tag: 'Public state',
    summary: 'List versions with their authors, newest first',
    description:
      'Returns a page of versions without their documents: comment, size, time and author of each. Read a document by its version number. Before the first write, the page is empty.',
    access: ['developer', 'api_key'],
    needs: 'read',
    query: paging,
    success: { 200: { description: 'A page.', schema: 'HistoryBody' } },
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },
  readPublicStateChanges: {
    method: 'GET',
    path: `${project}/public-state/{env}/changes`,
    tag: 'Public state',
    summary: 'Receive changes as they happen',
    description: `Reports every new version as operations on the previous one. ${changeRules}

The \`EventSource\` of browsers cannot send headers: put a publishable key in the query, \`?key=svcp_…\`, instead of \`Authorization\`. The service never logs or traces the query.`,
    access: ['developer', 'api_key'],
    needs: 'read',
    publishable: true,
    keyInQuery: true,
    ...watching,
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },

  readUserState: {
    method: 'GET',
    path: `${project}/user-state/{env}`,
    tag: 'User state',
    summary: 'Read your own state',
    description:
      "Returns the state of the access token's end user with its entity tag, or 204 if there is none. The token must be for the project and environment in the path.",
    access: ['end_user'],
    success: {
      200: { description: 'Your state.', schema: 'UserStateBody', entityTag: true },
      204: { description: 'You have no state yet.' },
      304: { description: 'The version named in `If-None-Match` is the current one.', entityTag: true },
    },
    codes: admission,
    ...metered,
  },
  patchUserState: {
    method: 'PATCH',
    path: `${project}/user-state/{env}`,
    tag: 'User state',
    summary: 'Patch your own state',
    description: `Applies \`add\`, \`remove\` and \`replace\` to the state of the access token's end user, in order, all or none (RFC 6902). A patch that creates the state starts from \`{}\`. There is no PUT. ${onePrecondition}

${conflictRound}`,
    access: ['end_user'],
    precondition: true,
    repeatable: true,
    body: json('PatchStateBody'),
    success: { 200: { description: 'The version that was written.', schema: 'UserStateBody', entityTag: true } },
    codes: [...admission, ...reading, 'version_conflict', 'idempotency_key_reused', ...patchCodes],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE', 'QUOTA_END_USERS'],
  },
  readUserStateChanges: {
    method: 'GET',
    path: `${project}/user-state/{env}/changes`,
    tag: 'User state',
    summary: 'Receive changes to your own state as they happen',
    description: `Reports every new version of your state as operations on the previous one. ${changeRules}`,
    access: ['end_user'],
    ...watching,
    codes: admission,
    ...metered,
  },

  listPlayerStates: {
    method: 'GET',
    path: `${project}/user-states/{env}`,
    tag: 'End users',
    summary: 'List the states of an environment, newest end user first',
    description:
      'Returns a page of the states of all end users in one environment, in order of creation, so pages neither skip nor repeat a state when others are written.',
    access: ['developer'],
    needs: 'read_saves',
    query: paging,
    success: { 200: { description: 'A page.', schema: 'UserStateListBody' } },
    codes: admission,
    ...metered,
  },
  readPlayerState: {
    method: 'GET',
    path: `${project}/user-states/{env}/{endUserId}`,
    tag: 'End users',
    summary: 'Read the state of an end user',
    description:
      'Returns the state of one end user with its entity tag; 204 if there is none, even if no end user ever had the id; 404 if the id is malformed.',
    access: ['developer'],
    needs: 'read_saves',
    success: {
      200: { description: 'The state.', schema: 'UserStateBody', entityTag: true },
      204: { description: 'This end user has no state.' },
      304: { description: 'The version named in `If-None-Match` is the current one.', entityTag: true },
    },
    codes: admission,
    ...metered,
  },
  patchPlayerState: {
    method: 'PATCH',
    path: `${project}/user-states/{env}/{endUserId}`,
    tag: 'End users',
    summary: 'Patch the state of an end user',
    description: `For game servers and support: to give gold or repair a save. It follows the rules of the end user's own patch, and the end user's open streams receive the change immediately. The end user may have no state yet, and the service does not check that the id exists. A malformed id gets 404. ${onePrecondition}

${conflictRound}`,
    access: ['developer'],
    needs: 'write_saves',
    audit: 'user_state.write',
    precondition: true,
    repeatable: true,
    body: json('PatchStateBody'),
    success: { 200: { description: 'The version that was written.', schema: 'UserStateBody', entityTag: true } },
    codes: [...admission, ...reading, 'version_conflict', 'idempotency_key_reused', ...patchCodes],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE', 'QUOTA_END_USERS'],
  },
  listPlayerStateHistory: {
    method: 'GET',
    path: `${project}/user-states/{env}/{endUserId}/history`,
    tag: 'End users',
    summary: 'List the versions of the state of an end user with their authors, newest first',
    description:
      'Returns a page of the kept versions, without their documents: comment, size, time and author of each. The current version comes first. `userStateHistory` of the end-user sign-in settings sets how many earlier versions are kept, and for how long; they count as storage. The comment of a write by the end user is null. The page is empty for an end user without state; a malformed id gets 404.',
    access: ['developer'],
    needs: 'read_saves',
    query: paging,
    success: { 200: { description: 'A page.', schema: 'SaveHistoryBody' } },
    codes: admission,
    ...metered,
  },
  readPlayerStateVersion: {
    method: 'GET',
    path: `${project}/user-states/{env}/{endUserId}/versions/{version}`,
    tag: 'End users',
    summary: 'Read one version of the state of an end user',
    description:
      'Returns a version as it was written; 404 if it does not exist or is no longer kept. To restore a save, write its document with a patch.',
    access: ['developer'],
    needs: 'read_saves',
    success: { 200: { description: 'The requested version.', schema: 'SaveVersionBody', entityTag: true } },
    codes: admission,
    ...metered,
  },
  deletePlayerState: {
    method: 'DELETE',
    path: `${project}/user-states/{endUserId}`,
    tag: 'End users',
    summary: 'Delete the state of an end user in every environment',
    description:
      "The path has no environment: the end user's state is deleted in all of them. The end user's refresh tokens in this project are revoked.",
    access: ['developer'],
    needs: 'write_saves',
    audit: 'user_state.delete',
    success: noContent('The end user has no state in any environment. The player and any block stay.'),
    codes: admission,
    ...metered,
  },
} as const satisfies Record<string, Operation>;
