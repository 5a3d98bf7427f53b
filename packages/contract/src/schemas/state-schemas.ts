/** Records of the schemas of states. */
import Type from 'typebox';
import { schemaModes } from '../identifiers.ts';
import { nullable, page, Time, Version } from './fields.ts';
import { AuthorBody, Comment, PatchOperationBody, State } from './state.ts';
import { ViolationBody } from './violation.ts';

export { ViolationBody } from './violation.ts';

const Mode = Type.Enum([...schemaModes], {
  description: 'What happens to a write that does not fit: nothing, it is counted in the report, or it is refused.',
});
const Schema = Type.Unknown({ description: 'JSON Schema 2020-12: an object or a boolean. Its numbers keep their digits.' });

export const SchemaBody = Type.Object(
  { version: Version, mode: Mode, schema: Schema, comment: Comment },
  { description: 'A version of the schema of one kind of state in one environment.' },
);
export type SchemaBody = Type.Static<typeof SchemaBody>;

export const SchemaWarningBody = Type.Object(
  {
    schemaLocation: Type.String({ description: 'JSON Pointer to the place in the schema, as a URI fragment.' }),
    message: Type.String({ description: 'For people; may change.' }),
  },
  { description: 'A likely mistake in a schema, such as an unknown keyword.' },
);
const Warnings = Type.Array(SchemaWarningBody, {
  description:
    'At most 20 likely mistakes: unknown keywords, a schema that refuses nothing, a schema inside a body with `mode` and `schema`. The schema can still be used.',
});

export const WrittenSchemaBody = Type.Object(
  { ...SchemaBody.properties, warnings: Warnings },
  { description: 'The version that was written, with warnings for its author.' },
);

export const ReplaceSchemaBody = Type.Object(
  { mode: Mode, schema: Schema, comment: Type.Optional(Comment) },
  { description: 'A schema and what it does. Unknown members are ignored, so a record that was read can be sent back.' },
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
    author: nullable(AuthorBody, 'Who wrote it.'),
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
        'JSON Pointer into the document, with `*` for indexes and for members that the schema does not name. One of more than 512 characters has `…` for its middle.',
    }),
    count: Type.Integer({ format: 'int64', minimum: 1, description: 'How many writes.' }),
  },
  { description: 'What writes did not fit, and how often.' },
);
export const SchemaReportBody = Type.Object(
  { items: Type.Array(SchemaReportItemBody, { description: 'The most frequent first.' }) },
  { description: 'What did not fit since the current version of the schema was written, as this node has seen it.' },
);
export type SchemaReportBody = Type.Static<typeof SchemaReportBody>;

export const CheckSchemaBody = Type.Object(
  {
    state: Type.Optional(State),
    ops: Type.Optional(Type.Array(PatchOperationBody, { minItems: 1, description: 'Operations on the current document.' })),
    endUserId: Type.Optional(
      Type.String({ description: 'With `ops` of user state: whose state they change, as the player would.' }),
    ),
    schema: Type.Optional(Schema),
    scan: Type.Optional(Type.Boolean({ description: 'With `schema`: judge what is stored, a slice with each request.' })),
    cursor: Type.Optional(nullable(Type.String({ description: 'The `cursor` of the slice before.' }))),
  },
  { description: 'Exactly one of `state`, `ops` and `schema`.' },
);
export type CheckSchemaBody = Type.Static<typeof CheckSchemaBody>;

export const FlagFindingBody = Type.Object(
  {
    flag: Type.String({ description: 'The name of the flag; empty for the document as a whole.' }),
    message: Type.String({ description: 'For people; may change.' }),
  },
  { description: 'What is wrong with a flag.' },
);

export const SchemaScanBody = Type.Object(
  {
    checked: Type.Integer({ minimum: 0, description: 'Documents of this slice.' }),
    failing: Type.Integer({ minimum: 0, description: 'Those that do not fit.' }),
    samples: Type.Array(SchemaReportItemBody, {
      description: 'At most five places in the schema that documents do not fit.',
    }),
    cursor: nullable(Type.String({ description: 'Send it back for the next slice. Null when all have been judged.' })),
  },
  { description: 'How stored documents fit a schema.' },
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
    flags: Type.Array(FlagFindingBody, { description: 'What is wrong with flags of the document.' }),
    stored: Type.Optional(SchemaScanBody),
  },
  { description: 'What a write would meet.' },
);
export type SchemaCheckBody = Type.Static<typeof SchemaCheckBody>;
