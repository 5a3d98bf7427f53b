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
      'Returns the current version with its entity tag, or 204 if there is none. `kind` is `public-state` or `user-state`.',
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
    description: `Writes a JSON Schema 2020-12 and its mode: \`off\`, \`report\` or \`enforce\`. Send exactly one of \`If-Match: "N"\` and \`If-None-Match: *\`. A schema that does not compile or exceeds its bounds gets 400 with \`violations\`. After the response, every node applies the new version to each write that begins. Stored documents stay as they are.

In a protected environment, the write needs a \`comment\`.`,
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
    description: 'States are then no longer validated. Requires `If-Match`. The versions stay in the history.',
    access: ['developer'],
    needs: 'write_schemas',
    audit: 'schema.delete',
    precondition: true,
    success: noContent('The schema is deleted.'),
    codes: [...admission, 'version_conflict'],
    ...metered,
  },
  listSchemaHistory: {
    method: 'GET',
    path: `${schemaPath}/history`,
    tag: 'Schemas',
    summary: 'List the versions of the schema with their authors, newest first',
    description: 'Returns a page of versions, without their schemas.',
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
    description: 'Returns a version as it was written; 404 if it does not exist.',
    access: ['developer'],
    needs: 'read',
    success: { 200: { description: 'The requested version.', schema: 'SchemaBody', entityTag: true } },
    codes: admission,
    ...metered,
  },
  readSchemaReport: {
    method: 'GET',
    path: `${schemaPath}/report`,
    tag: 'Schemas',
    summary: 'Read how often writes violated the schema',
    description:
      'In the mode `report`, writes pass, and their violations are counted here by location in the schema, keyword and path. Each node counts its own writes since it first loaded the current version; at most 200 locations are kept.',
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
    summary: 'Check a document, a patch or a schema without writing',
    description: `Send one of:

- \`state\`: a document, checked against the current schema.
- \`ops\`: a patch of the current document. For user state, with \`endUserId\`: checked as that player's own write, including the change rules.
- \`schema\`: a schema, which is only compiled. With \`scan: true\`, stored documents are checked against it, a slice with each request; send \`cursor\` back until it is null. An account may run one scan at a time.

Nothing is written.`,
    access: ['developer'],
    needs: 'read',
    body: { ...json('CheckSchemaBody'), asSent: checkBodyBytesMax },
    success: { 200: { description: 'The result that a write would have.', schema: 'SchemaCheckBody' } },
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
