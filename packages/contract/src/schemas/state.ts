/** Records of state. */
import Type from 'typebox';
import { commentCharactersMax, endUserIdCharactersMax } from '../limits.ts';
import { nullable, page, Time, text, Version } from './parts.ts';

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

export const Comment = nullable(text(commentCharactersMax, { description: 'What the writer said about this version.' }));

export const PublicStateBody = Type.Object({
  version: Version,
  state: State,
  comment: Comment,
  stateSizeBytes: Type.Integer({ minimum: 2, description: 'UTF-8 bytes of the compact JSON text of `state`.' }),
});
export type PublicStateBody = Type.Static<typeof PublicStateBody>;

export const CreateConfigBody = Type.Object(
  { state: State, comment: Type.Optional(Comment) },
  {
    description:
      'Full replacement of the document. Unknown members are ignored, so a record that was read can be sent back.',
  },
);
export type CreateConfigBody = Type.Static<typeof CreateConfigBody>;

const pointer = Type.String({ description: 'JSON Pointer (RFC 6901); the empty string is the document root.' });
const anyValue = Type.Unknown({ description: 'Any JSON value, null included.' });
export const PatchOperationBody = Type.Union([
  Type.Object({ op: Type.Enum(['add', 'replace']), path: pointer, value: anyValue }),
  Type.Object({ op: Type.Literal('remove'), path: pointer }),
]);
export const PatchStateBody = Type.Object(
  {
    ops: Type.Array(PatchOperationBody, { minItems: 1, description: 'Applied in order, all or none (RFC 6902).' }),
    comment: Type.Optional(Comment),
  },
  { description: 'A JSON Patch restricted to `add`, `remove` and `replace`. `comment` is read on public state only.' },
);

export const UserStateBody = Type.Object({ version: Version, state: State });
export type UserStateBody = Type.Static<typeof UserStateBody>;

export const EndUserId = text(endUserIdCharactersMax, {
  charactersMin: 1,
  description: 'Subject of the end user at the identity provider; trimmed, without control characters.',
});

export const UserStateListBody = page(
  Type.Object({ endUserId: EndUserId, version: Version, state: State, updatedAt: Time }),
);
