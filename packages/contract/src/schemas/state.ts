/** Records of state. */
import Type from 'typebox';
import { commentCharactersMax, guestAssertionBytesMax, playerIdCharactersMax } from '../limits.ts';
import { inDescription, Name, nullable, page, Time, text, Version } from './fields.ts';

export const State = Type.Refine(
  Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      { additionalProperties: true, description: 'The document: any JSON object. Numbers keep their digits.' },
    ),
  ),
  (value) => !Array.isArray(value) && !JSON.isRawJSON(value),
  () => 'must be an object',
);

export const Comment = nullable(text(commentCharactersMax, { description: "The writer's comment on this version." }));

const StateSizeBytes = Type.Integer({
  format: 'int64',
  minimum: 2,
  description: 'UTF-8 bytes of the compact JSON text of `state`.',
});

export const PublicStateBody = Type.Object({
  version: Version,
  state: State,
  comment: Comment,
  stateSizeBytes: StateSizeBytes,
});
export type PublicStateBody = Type.Static<typeof PublicStateBody>;

export const AuthorBody = Type.Object(
  {
    kind: Type.Enum(['developer', 'api_key', 'service_account'], {
      description: 'The kind of credential that wrote the version.',
    }),
    id: Type.String({ description: 'The `user_id` of the developer, or the id of the API key or service account.' }),
    name: nullable(
      Name,
      'The name of the API key at the time of the write; the current name of the developer or service account, never an email address. Null for developers and service accounts that are gone or have no name, and if the reader uses an API key.',
    ),
  },
  { description: 'The author of a version.' },
);
export type AuthorBody = Type.Static<typeof AuthorBody>;

export const HistoryItemBody = Type.Object(
  {
    version: Version,
    comment: Comment,
    stateSizeBytes: StateSizeBytes,
    createdAt: Time,
    author: nullable(AuthorBody, 'The author. Null for versions written before authors were recorded.'),
  },
  { description: 'A version without its document.' },
);
export type HistoryItemBody = Type.Static<typeof HistoryItemBody>;
export const HistoryBody = page(HistoryItemBody, 'The versions, newest first.');

export const CreateConfigBody = Type.Object(
  { state: State, comment: Type.Optional(Comment) },
  {
    description:
      'Full replacement of the document. Unknown fields are ignored, so a record that was read can be sent back.',
  },
);
export type CreateConfigBody = Type.Static<typeof CreateConfigBody>;

/**
 * One object instead of a union: generators merge a union of objects into one type, and apply the last member's rules to all. The rule that
 * ties `value` to `op` is separate, for validators.
 */
export const PatchOperationBody = Type.Object(
  {
    op: Type.Enum(['add', 'remove', 'replace'], { description: 'The operation at `path`.' }),
    path: Type.String({
      pattern: '^(?:/(?:[^~/]|~[01])*)*$',
      description:
        'JSON Pointer (RFC 6901): `~0` means `~`, `~1` means `/`. The empty string is the root, which cannot be removed.',
    }),
    value: Type.Optional(
      Type.Unknown({ description: 'Any JSON value, null included. `add` and `replace` need it; `remove` ignores it.' }),
    ),
  },
  {
    if: { properties: { op: { const: 'remove' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { path: { minLength: 1 } } },
    else: { properties: { value: {} }, required: ['value'] },
    description: 'One operation of a patch. Unknown fields are ignored.',
  },
);
export const PatchStateBody = Type.Object(
  {
    ops: Type.Array(PatchOperationBody, { minItems: 1, description: 'Applied in order, all or none (RFC 6902).' }),
    comment: Type.Optional(Comment),
  },
  {
    description:
      'A JSON Patch restricted to `add`, `remove` and `replace`. `comment` is for writes by developers and keys, not by end users.',
  },
);

/** One object instead of a union, for the same reason as `PatchOperationBody`. */
export const ChangeEventBody = Type.Object(
  {
    type: Type.Enum(['snapshot', 'change', 'reset', 'goodbye'], {
      description:
        '`snapshot`: the current document. `change`: the operations to the next version. `reset`: the document was deleted, or created again afterwards. `goodbye`: the response ends.',
    }),
    version: Type.Optional(
      nullable(Version, 'The version after the event; null if there is no document. Not in `goodbye`.'),
    ),
    state: Type.Optional(nullable(State, 'In `snapshot` and `reset`: the document; null if there is none.')),
    from: Type.Optional(
      Type.Integer({
        format: 'int64',
        minimum: 0,
        description: 'In `change`: the version that `ops` apply to. 0 means no document; `ops` then apply to `{}`.',
      }),
    ),
    ops: Type.Optional(
      Type.Array(PatchOperationBody, { description: 'In `change`: the operations from version `from` to `version`.' }),
    ),
    refetch: Type.Optional(
      Type.Boolean({ description: 'In `change`, instead of `ops` that are too long: read the document again.' }),
    ),
    reason: Type.Optional(
      Type.Enum(['expired', 'revoked', 'shutdown', 'max_age'], { description: 'In `goodbye`: why the response ends.' }),
    ),
    retryAfterMs: Type.Optional(
      Type.Integer({ minimum: 0, description: 'In `goodbye`: milliseconds to wait before connecting again.' }),
    ),
  },
  { description: 'A change to a document. `type` determines the other fields.' },
);
export const ChangesBody = Type.Object(
  { events: Type.Array(ChangeEventBody, { minItems: 1, description: 'The events, in order.' }) },
  { description: 'Changes to a document since the given version.' },
);

export const UserStateBody = Type.Object({ version: Version, state: State });
export type UserStateBody = Type.Static<typeof UserStateBody>;

/** One object instead of a union, for the same reason as `PatchOperationBody`. */
export const SaveAuthorBody = Type.Object(
  {
    kind: Type.Enum(['end_user', 'developer', 'service_account', 'operator'], {
      description: "The author: the end user, or somebody on the end user's behalf.",
    }),
    id: Type.String({
      description: 'The id of the end user, the `user_id` of the developer or operator, or the id of the service account.',
    }),
    name: Type.Optional(
      nullable(
        Name,
        'The current name of the developer or service account, never an email address. Null if the author is gone or has no name. Absent for others.',
      ),
    ),
  },
  {
    if: { properties: { kind: { enum: ['developer', 'service_account'] } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { name: {} }, required: ['name'] },
    description: "The author of a version of an end user's state.",
  },
);
export type SaveAuthorBody = Type.Static<typeof SaveAuthorBody>;
export const SaveHistoryItemBody = Type.Object(
  { version: Version, comment: Comment, stateSizeBytes: StateSizeBytes, createdAt: Time, author: SaveAuthorBody },
  { description: "A version of an end user's state, without its document." },
);
export type SaveHistoryItemBody = Type.Static<typeof SaveHistoryItemBody>;
export const SaveHistoryBody = page(SaveHistoryItemBody, 'The kept versions, the current one first.');
export const SaveVersionBody = Type.Object(
  { version: Version, state: State, comment: Comment, stateSizeBytes: StateSizeBytes },
  { description: "A version of an end user's state." },
);
/** Large states are parsed on another thread, so the handler checks the body. */
export const MergeBody = Type.Object({
  guestAssertion: Type.String({
    minLength: 1,
    maxLength: guestAssertionBytesMax,
    description:
      'An assertion of the guest with the claim `merge_into`: the `user_id` of the access token. `client_id` and `scope` must match the token.',
  }),
  state: State,
  ifVersion: nullable(Version, 'The version of your save that you read; null if there is none.'),
  fromVersion: nullable(Version, "The version of the guest's save that you read; null if there is none."),
});

export const EndUserId = text(playerIdCharactersMax, {
  charactersMin: 1,
  [inDescription]: { pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]+$' },
  description: "The end user's subject at the identity provider; trimmed, without control characters.",
});

export const UserStateItemBody = Type.Object(
  { endUserId: EndUserId, version: Version, state: State, updatedAt: Time },
  { description: 'The state of one end user in one environment.' },
);
export const UserStateListBody = page(UserStateItemBody, 'The states, newest end user first.');
