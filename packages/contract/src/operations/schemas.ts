/** The schemas of states. */
import { checkBodyBytesMax } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { admission, json, metered, noContent, paging, project, reading } from './shared.ts';

const schemaPath = `${project}/schemas/{env}/{kind}` as const;

export const schemaOperations = {
  readSchema: {
    method: 'GET',
    path: schemaPath,
    tag: 'Schemas',
    summary: 'Read the schema of a kind of state',
    description:
      'Returns the current version with its entity tag, or 204 while there is none. `kind` is `public-state` or `user-state`.',
    access: ['developer'],
    needs: 'read',
    success: {
      200: { description: 'The current version.', schema: 'SchemaBody', entityTag: true },
      204: { description: 'There is no schema.' },
    },
    codes: admission,
    ...metered,
  },
  replaceSchema: {
    method: 'PUT',
    path: schemaPath,
    tag: 'Schemas',
    summary: 'Write the schema of a kind of state',
    description: `Writes a JSON Schema 2020-12 and what it does to writes: \`off\`, \`report\` or \`enforce\`. Send exactly one of \`If-Match: "N"\` and \`If-None-Match: *\`. A schema that does not compile, or is beyond its bounds, is 400 with \`violations\`. Once the response is there, every node holds the new version over every write that begins. What is stored already stays as it is.

In a protected environment the write needs a \`comment\`.`,
    access: ['developer'],
    needs: 'write_schemas',
    audit: 'schema.write',
    precondition: true,
    body: json('ReplaceSchemaBody'),
    success: { 200: { description: 'The version that was written.', schema: 'WrittenSchemaBody', entityTag: true } },
    codes: [...admission, ...reading, 'version_conflict', 'upgrade_unfinished'],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE'],
  },
  deleteSchema: {
    method: 'DELETE',
    path: schemaPath,
    tag: 'Schemas',
    summary: 'Delete the schema of a kind of state',
    description: 'From then on states may be anything again. It needs `If-Match`. The versions stay in the history.',
    access: ['developer'],
    needs: 'write_schemas',
    audit: 'schema.delete',
    precondition: true,
    success: noContent('There is no schema any more.'),
    codes: [...admission, 'version_conflict'],
    ...metered,
  },
  listSchemaHistory: {
    method: 'GET',
    path: `${schemaPath}/history`,
    tag: 'Schemas',
    summary: 'List who wrote which version of the schema and when, newest first',
    description: 'Returns a page of versions without their schemas.',
    access: ['developer'],
    needs: 'read',
    query: paging,
    success: { 200: { description: 'A page.', schema: 'SchemaHistoryBody' } },
    codes: admission,
    ...metered,
  },
  readSchemaVersion: {
    method: 'GET',
    path: `${schemaPath}/versions/{version}`,
    tag: 'Schemas',
    summary: 'Read one version of the schema',
    description: 'Returns a version as it was written. One that does not exist is 404.',
    access: ['developer'],
    needs: 'read',
    success: { 200: { description: 'The version asked for.', schema: 'SchemaBody', entityTag: true } },
    codes: admission,
    ...metered,
  },
  readSchemaReport: {
    method: 'GET',
    path: `${schemaPath}/report`,
    tag: 'Schemas',
    summary: 'Read what writes did not fit the schema',
    description:
      'With the mode `report` writes pass, and what does not fit is counted here by place in the schema, keyword and path. Each node counts the writes that it has carried out since it first met the current version; at most 200 places are kept.',
    access: ['developer'],
    needs: 'read',
    success: { 200: { description: 'The counts.', schema: 'SchemaReportBody' } },
    codes: admission,
    ...metered,
  },
  checkSchema: {
    method: 'POST',
    path: `${schemaPath}/check`,
    tag: 'Schemas',
    summary: 'Judge a document, a patch or a schema without writing',
    description: `Send one of:

- \`state\`: a document, judged by the current schema.
- \`ops\`: a patch of the current document. Of user state with \`endUserId\`, judged as that player's own write, rules of change included.
- \`schema\`: a schema, which is only compiled. With \`scan: true\` what is stored is judged by it, a slice with each request; send \`cursor\` back until it is null. An account has one scan at a time.

Nothing is written.`,
    access: ['developer'],
    needs: 'read',
    body: { ...json('CheckSchemaBody'), asSent: checkBodyBytesMax },
    success: { 200: { description: 'What a write would meet.', schema: 'SchemaCheckBody' } },
    codes: [
      ...admission,
      ...reading,
      'limit_reached',
      'patch_invalid',
      'patch_unsupported_operation',
      'patch_invalid_path',
      'patch_missing_value',
      'patch_path_not_found',
      'patch_path_untraversable',
      'patch_invalid_array_index',
      'patch_invalid_state_root',
      'patch_state_too_large',
    ],
    ...metered,
  },
} as const satisfies Readonly<Record<string, Operation>>;
