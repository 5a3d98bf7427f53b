/** Public state and user state. */
import type { Operation } from '../operation.ts';
import { admission, json, metered, noContent, paging, project, reading, watching } from './shared.ts';

const patchCodes = [
  'patch_invalid',
  'patch_unsupported_operation',
  'patch_invalid_path',
  'patch_missing_value',
  'patch_path_not_found',
  'patch_path_untraversable',
  'patch_invalid_array_index',
  'patch_invalid_state_root',
  'patch_state_too_large',
] as const;
const keyOfOtherProject = { otherErrors: { 403: 'empty' } } as const;

/** @see docs/contract.md §4.3 */
const onePrecondition =
  'Send exactly one of `If-Match: "N"`, to change version N, and `If-None-Match: *`, to create what does not exist yet: neither is 400, both are 412.';

/** @see docs/contract.md §3.7 */
const protection = 'In a protected environment the write needs a `comment`, and API keys get 403.';

/** What a client does after a 412. */
const conflictRound = `When somebody else was first, the response is 412 with the version that is stored, and nothing was written:

- \`If-Match: "2"\` while version 3 is stored: 412 with \`currentVersion: 3\` and \`ETag: "3"\`.
- Read the document again and apply the change to what is there now.
- Write with \`If-Match: "3"\`.

When the response is lost, send the same request again with the same \`Idempotency-Key\`: it is carried out once. The response is that of the first time, or 412 with \`appliedVersion\` when a newer version has been written since.`;

/** How a client follows a document. */
const changeRules = `With \`Accept: text/event-stream\` the response is a stream of server-sent events that goes on until the token expires, for half an hour at most. Without it, the response comes with the first change, or with 204 when none came within \`wait\`.

- \`snapshot\` has the whole document, as it is at first and when a client is too far behind.
- \`change\` has the operations from version \`from\` to \`version\`, or \`refetch: true\` where they are too long.
- \`reset\` has the whole document that takes the place of one that was deleted, or nulls.
- \`goodbye\` says why the stream ends, and after how many milliseconds to connect again.

Connect again with the last event id in \`Last-Event-ID\` or \`since\`: nothing is left out and nothing is sent twice.`;

export const stateOperations = {
  readPublicState: {
    method: 'GET',
    path: `${project}/public-state/{env}`,
    tag: 'Public state',
    summary: 'Read the document',
    description:
      'Returns the current version with its entity tag, or 204 while nothing has been written. With `If-None-Match: "N"` the response is 304 without a body as long as version N is the current one, which makes asking often cheap.',
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
    description: `Writes a whole document in place of the one that is stored. ${onePrecondition} ${protection}

${conflictRound}`,
    access: ['developer', 'api_key'],
    needs: 'write_state',
    audit: 'state.write',
    precondition: true,
    repeatable: true,
    body: json('CreateConfigBody'),
    success: { 200: { description: 'The version that was written.', schema: 'PublicStateBody', entityTag: true } },
    codes: [...admission, ...reading, 'version_conflict', 'idempotency_key_reused'],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE'],
    ...keyOfOtherProject,
  },
  patchPublicState: {
    method: 'PATCH',
    path: `${project}/public-state/{env}`,
    tag: 'Public state',
    summary: 'Patch the document',
    description: `Applies \`add\`, \`remove\` and \`replace\` to the stored document in order, all or none (RFC 6902). A patch that creates starts from \`{}\`. ${onePrecondition} ${protection}

${conflictRound}`,
    access: ['developer', 'api_key'],
    needs: 'write_state',
    audit: 'state.write',
    precondition: true,
    repeatable: true,
    body: json('PatchStateBody'),
    success: { 200: { description: 'The version that was written.', schema: 'PublicStateBody', entityTag: true } },
    codes: [...admission, ...reading, 'version_conflict', 'idempotency_key_reused', ...patchCodes],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE'],
    ...keyOfOtherProject,
  },
  listPublicStateVersions: {
    method: 'GET',
    path: `${project}/public-state/{env}/versions`,
    tag: 'Public state',
    summary: 'List every version, newest first',
    description:
      'Returns the whole history as one array, which can be long: read it piece by piece, or read single versions. Before the first write the array is empty. With `Accept-Encoding: gzip` a long list is compressed. Its entity tag is weak: it serves `If-None-Match`, and no write takes it.',
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
    description: 'Returns a version as it was written. Versions never change; one that does not exist is 404.',
    access: ['developer', 'api_key'],
    needs: 'read',
    success: { 200: { description: 'The version asked for.', schema: 'PublicStateBody', entityTag: true } },
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },

  listPublicStateHistory: {
    method: 'GET',
    path: `${project}/public-state/{env}/history`,
    tag: 'Public state',
    summary: 'List who wrote which version and when, newest first',
    description:
      'Returns a page of versions without their documents: comment, size, time and author of each. Read a document with its version number. Before the first write the page is empty.',
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
    description: `Tells every new version as the operations that lead to it from the one before. ${changeRules}

The \`EventSource\` of browsers sends no headers: it names a publishable key in the query, \`?key=svcp_…\`, and leaves \`Authorization\` out. No log or trace of the service has the query.`,
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
      'Returns the state of the end user whom the access token names, with its entity tag, or 204 while there is none. The token has to be of the project and environment in the path.',
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
    description: `Applies \`add\`, \`remove\` and \`replace\` to the state of the end user whom the access token names, in order, all or none (RFC 6902). A patch that creates starts from \`{}\`. There is no PUT. ${onePrecondition}

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
    summary: 'Receive changes of your own state as they happen',
    description: `Tells new versions of the state of the end user whom the access token names, as the operations that lead to them. ${changeRules}`,
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
      'Returns a page of the states of all end users in one environment. The order is that of their creation, so pages neither skip nor repeat a state while others are written.',
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
      'Returns the state of one end user with its entity tag. An end user without state is 204, also when nobody ever had that id; an id that breaks the rules of ids is 404.',
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
    description: `For game servers and support: gives gold, repairs a save. It follows the rules of the end user's own patch, and the end user's open streams are told at once. An end user needs no state before, and nobody checks that the id is that of somebody. An id that breaks the rules of ids is 404. ${onePrecondition}

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
    summary: 'List who wrote which version of the state of an end user and when, newest first',
    description:
      'Returns a page of the versions that are kept, without their documents: comment, size, time and author of each. The current version is the first one. How many earlier ones are kept, and for how long, says `userStateHistory` of the end-user sign-in settings; kept versions count as storage. The comment of a write by the end user is null. An end user without state has an empty page; an id that breaks the rules of ids is 404.',
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
      'Returns a version as it was written. One that does not exist, or is not kept any more, is 404. To take a save back to it, write its document with a patch.',
    access: ['developer'],
    needs: 'read_saves',
    success: { 200: { description: 'The version asked for.', schema: 'SaveVersionBody', entityTag: true } },
    codes: admission,
    ...metered,
  },
  deletePlayerState: {
    method: 'DELETE',
    path: `${project}/user-states/{endUserId}`,
    tag: 'End users',
    summary: 'Delete the state of an end user in every environment',
    description:
      'The path has no environment: the state of the end user goes in all of them. The refresh tokens of the end user in this project are revoked.',
    access: ['developer'],
    needs: 'write_saves',
    audit: 'user_state.delete',
    success: noContent('No environment has a state of this end user. The player itself and a block stay.'),
    codes: admission,
    ...metered,
  },
} as const satisfies Record<string, Operation>;
