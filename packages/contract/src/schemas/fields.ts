/** Building blocks of records. */
import Type, { type TSchema } from 'typebox';
import { accountIdPattern, apiKeyIdPattern, environments, slugPattern, userIdPattern } from '../identifiers.ts';
import { nameCharactersMax, slugCharactersMax } from '../limits.ts';
import { memberRoles } from '../roles.ts';
import { httpsFault, isOneLine } from '../texts.ts';
import { pattern } from './patterns.ts';

/** A string of at most `charactersMax` UTF-16 code units. (JSON Schema counts code points, which are never more.) */
export function text(
  charactersMax: number,
  options: { charactersMin?: number; description?: string; [inDescription]?: { format?: string; pattern?: string } } = {},
) {
  const { charactersMin = 0, ...rest } = options;
  return Type.Refine(
    Type.String({ ...rest, maxLength: charactersMax, ...(charactersMin > 0 && { minLength: charactersMin }) }),
    (value) => value.length <= charactersMax,
    () => `must have at most ${charactersMax} UTF-16 code units`,
  );
}

/** A text of one line. */
export const line = (charactersMax: number, options: { charactersMin?: number; description?: string } = {}) =>
  Type.Refine(
    text(charactersMax, { ...options, [inDescription]: { pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*$' } }),
    isOneLine,
    () => 'must be one line without control characters',
  );

/** The address of a page. */
export const httpsAddress = (charactersMax: number, options: { description?: string } = {}) =>
  Type.Refine(
    text(charactersMax, {
      ...options,
      charactersMin: 1,
      [inDescription]: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://' },
    }),
    (value) => httpsFault(value) === undefined,
    (value) => httpsFault(value) ?? 'is an address',
  );

/**
 * Keywords under this name appear in the description, but validators here ignore them: the service checks them in code, which explains
 * faults in words or is faster.
 */
export const inDescription = 'x-in-description';

/**
 * An array without duplicates. Validators here do not use the keyword `uniqueItems`: it compares every pair of items, however many a
 * client sends.
 */
export function set<Item extends TSchema>(
  item: Item,
  options: { minItems?: number; maxItems: number; description: string },
) {
  return Type.Refine(
    Type.Array(item, { ...options, [inDescription]: { uniqueItems: true } }),
    (items) => new Set(items).size === items.length,
    () => 'must not hold an item twice',
  );
}

export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, milliseconds.' });
export const Name = text(nameCharactersMax, { charactersMin: 1, description: 'A display name, not an identifier.' });
export const Version = Type.Integer({
  format: 'int64',
  minimum: 1,
  description: '1 on creation, incremented by every successful write. In quotes, the entity tag.',
});

export const AccountId = Type.String({
  ...pattern(accountIdPattern, 'an account id: acc_ followed by letters and digits'),
  description: 'Identifier of an account. New ones have 22 base-62 characters from 128 random bits.',
});
export const Slug = Type.String({
  ...pattern(
    slugPattern,
    'lower-case letters and digits, with single hyphens or underscores between them, such as my-game',
  ),
  maxLength: slugCharactersMax,
  description: 'Name of a project, unique in its account; chosen at creation and permanent.',
});
export const ApiKeyId = Type.String({
  ...pattern(apiKeyIdPattern, 'the id of an API key: key_ followed by letters and digits'),
  description: 'Identifier of an API key; not secret.',
});
export const UserId = Type.String({
  ...pattern(userIdPattern, 'the id of a user: usr_ followed by letters and digits'),
  description:
    'Identifier of a user of the built-in identity provider: `sub` of the ID tokens, and the end-user id in every project.',
});
export const EnvironmentName = Type.Enum([...environments], { description: 'One of the three environments of a project.' });

export const Cursor = Type.String({
  ...pattern('^[A-Za-z0-9_-]+$', 'a cursor returned by a page of this list'),
  description: 'The position in a list where a page ends. Opaque: send it back unchanged, to the same list.',
});

export const MemberRoleName = Type.Enum([...memberRoles], { description: 'The role of a member in the account.' });
/** The environments in which a role changes things. */
export const RoleEnvironments = nullable(
  set(EnvironmentName, {
    minItems: 1,
    maxItems: environments.length,
    description:
      'The environments that `admin`, `editor` and `support` may change; null for all. An owner always has all of them.',
  }),
);

/** A page of items, newest first. */
export const page = <Item extends TSchema>(item: Item, description: string) =>
  Type.Object({
    items: Type.Array(item, { description }),
    cursor: nullable(Cursor, 'Send it back as `cursor` for the next page. Null on the last page.'),
    hasMore: Type.Boolean({ description: 'Whether more items follow.' }),
  });
