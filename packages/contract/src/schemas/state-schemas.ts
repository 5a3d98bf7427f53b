/** Records of the schemas of states. */
import Type from 'typebox';
import { schemaModes } from '../identifiers.ts';
import { ViolationBody } from './errors.ts';
import { nullable, page, Time, Version } from './fields.ts';
import { AuthorBody, Comment, PatchOperationBody, State } from './state.ts';

export { ViolationBody } from './errors.ts';

const Mode = Type.Enum([...schemaModes], {
  description: 'Handling of a write that violates the schema: ignored, counted in the report, or refused.',
});
const Schema = Type.Unknown({ description: 'JSON Schema 2020-12: an object or a boolean. Its numbers keep their digits.' });

export const SchemaBody = Type.Object(
  { version: Version, mode: Mode, schema: Schema, comment: Comment },
  { description: 'A version of the schema of one kind of state in one environment.' },
);
export type SchemaBody = Type.Static<typeof SchemaBody>;

export const SchemaWarningBody = Type.Object(
  {
    schemaLocation: Type.String({ description: 'JSON Pointer to the location in the schema, as a URI fragment.' }),
    message: Type.String({ description: 'For people; may change.' }),
  },
  { description: 'A likely mistake in a schema, such as an unknown keyword.' },
);
const Warnings = Type.Array(SchemaWarningBody, {
  description:
    'At most 20 likely mistakes: unknown keywords, a schema without any constraint, a schema inside a body with `mode` and `schema`. The schema can still be used.',
});

export const WrittenSchemaBody = Type.Object(
  { ...SchemaBody.properties, warnings: Warnings },
  { description: 'The version that was written, with warnings for its author.' },
);

export const ReplaceSchemaBody = Type.Object(
  { mode: Mode, schema: Schema, comment: Type.Optional(Comment) },
  { description: 'A schema and its mode. Unknown fields are ignored, so a record that was read can be sent back.' },
);

export const SchemaHistoryItemBody = Type.Object(
  {
    version: Version,
    mode: Mode,
    comment: Comment,
    schemaSizeBytes: Type.Integer({
      format: 'int64',
      minimum: 2,
      description: 'UTF-8 bytes of the compact JSON text of `schema`.',
    }),
    createdAt: Time,
    author: nullable(AuthorBody, 'The author.'),
  },
  { description: 'A version without its schema.' },
);
export type SchemaHistoryItemBody = Type.Static<typeof SchemaHistoryItemBody>;
export const SchemaHistoryBody = page(SchemaHistoryItemBody, 'The versions, newest first.');

export const SchemaReportItemBody = Type.Object(
  {
    schemaLocation: Type.String({ description: 'JSON Pointer to the keyword in the schema, as a URI fragment.' }),
    keyword: Type.String({ description: 'The keyword.' }),
    path: Type.String({
      description:
        'JSON Pointer into the document, with `*` for indexes and for members that the schema does not name. Over 512 characters, `…` replaces the middle.',
    }),
    count: Type.Integer({ format: 'int64', minimum: 1, description: 'The number of writes.' }),
  },
  { description: 'A violation by writes, and how often it occurred.' },
);
export const SchemaReportBody = Type.Object(
  { items: Type.Array(SchemaReportItemBody, { description: 'The most frequent first.' }) },
  { description: 'Violations seen by this node since the current version of the schema was written.' },
);
export type SchemaReportBody = Type.Static<typeof SchemaReportBody>;

export const CheckSchemaBody = Type.Object(
  {
    state: Type.Optional(State),
    ops: Type.Optional(Type.Array(PatchOperationBody, { minItems: 1, description: 'Operations on the current document.' })),
    endUserId: Type.Optional(
      Type.String({ description: 'With `ops` of user state: the player whose own write is checked.' }),
    ),
    schema: Type.Optional(Schema),
    scan: Type.Optional(Type.Boolean({ description: 'With `schema`: check stored documents, a slice with each request.' })),
    cursor: Type.Optional(nullable(Type.String({ description: 'The `cursor` of the previous slice.' }))),
  },
  { description: 'Exactly one of `state`, `ops` and `schema`.' },
);
export type CheckSchemaBody = Type.Static<typeof CheckSchemaBody>;

export const FlagFindingBody = Type.Object(
  {
    flag: Type.String({ description: 'The name of the flag; empty for the document as a whole.' }),
    message: Type.String({ description: 'For people; may change.' }),
  },
  { description: 'An error in a flag.' },
);
export type FlagFindingBody = Type.Static<typeof FlagFindingBody>;

export const SchemaScanBody = Type.Object(
  {
    checked: Type.Integer({ minimum: 0, description: 'Documents in this slice.' }),
    failing: Type.Integer({ minimum: 0, description: 'Documents that violate the schema.' }),
    samples: Type.Array(SchemaReportItemBody, {
      description: 'At most five locations in the schema that documents violate.',
    }),
    cursor: nullable(Type.String({ description: 'Send it back for the next slice. Null after the last one.' })),
  },
  { description: 'The result of checking stored documents against a schema.' },
);

export const SchemaCheckBody = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether there are no violations, and no findings about flags.' }),
    violations: Type.Array(ViolationBody, { description: 'At most 20.' }),
    warnings: Type.Array(SchemaWarningBody, {
      description: 'Warnings for the author of the schema. Empty for a document.',
    }),
    stateSizeBytes: nullable(
      Type.Integer({ format: 'int64', description: 'UTF-8 bytes of the document; null for a schema.' }),
    ),
    flags: Type.Array(FlagFindingBody, { description: 'Errors in flags of the document.' }),
    stored: Type.Optional(SchemaScanBody),
  },
  { description: 'The result that a write would have.' },
);
export type SchemaCheckBody = Type.Static<typeof SchemaCheckBody>;
