/** The records as plain JSON Schema 2020-12: what validates inside, without what only the validator understands. */
import type { TSchema } from 'typebox';
import { examples } from './examples.ts';
import { keysOf } from './keys.ts';
import type { JsonSchema } from './openapi-types.ts';
import {
  AccountId,
  ApiKeyAccessName,
  ApiKeyId,
  ApiKeyKindName,
  AuditDetail,
  Cursor,
  components,
  EndUserId,
  EnvironmentName,
  FlagContext,
  FlagMetadata,
  IdentityProviderId,
  InvitationId,
  inDescription,
  LogoMediaType,
  MemberId,
  RedirectUri,
  ServiceAccountId,
  ServiceAccountSecretId,
  Slug,
  State,
  UserId,
} from './schemas.ts';

/** Schemas with a name in the description: every record, and the parts that several records share. */
const namedSchemas = {
  ...components,
  AccountId,
  AuditDetail,
  ApiKeyAccess: ApiKeyAccessName,
  ApiKeyId,
  InvitationId,
  MemberId,
  ServiceAccountId,
  ServiceAccountSecretId,
  ApiKeyKind: ApiKeyKindName,
  Cursor,
  EndUserId,
  EnvironmentName,
  FlagContext,
  FlagMetadata,
  IdentityProviderId,
  LogoMediaType,
  RedirectUri,
  Slug,
  State,
  UserId,
} as const satisfies Record<string, TSchema>;
export type SchemaName = keyof typeof namedSchemas;

/** A reference to a named schema of the description. */
export function schemaReference(name: SchemaName): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema as plain JSON: internals of the validator are not enumerable or are functions, so printing drops them. */
export function plainSchema(schema: TSchema): JsonSchema {
  return readable(JSON.parse(JSON.stringify(schema)));
}

/** Every named schema, with a reference wherever one occurs inside another, and an example where there is one. */
export function referencedSchemas(): Record<string, JsonSchema> {
  const entries = keysOf(namedSchemas).map((name) => [name, plainSchema(namedSchemas[name])] as const);
  const names = new Map(entries.map(([name, schema]) => [JSON.stringify(schema), name]));
  const exampleOf: Readonly<Record<string, unknown>> = examples;
  const refer = (part: JsonSchema): JsonSchema => {
    const name = names.get(JSON.stringify(part));
    return name === undefined ? mapParts(part, refer) : schemaReference(name);
  };
  return Object.fromEntries(
    entries.map(([name, schema]) => {
      const example = exampleOf[name];
      return [name, { ...mapParts(schema, refer), ...(example !== undefined && { examples: [example] }) }];
    }),
  );
}

/** The schema with `change` applied to each schema directly inside it. */
export function mapParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, allOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part)])),
    }),
    ...(items && { items: change(items) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
    ...(allOf && { allOf: allOf.map(change) }),
  };
}

/**
 * States what readers and generators would otherwise have to infer, or do not know: the type of an enumeration of strings, a
 * constant as an enumeration of one. Takes in the keywords that stand in the description only.
 */
function readable(schema: JsonSchema): JsonSchema {
  const described: Described = mapParts(schema, readable);
  const { const: constant, [inDescription]: further, ...mapped } = described;
  const values = typeof constant === 'string' ? [constant] : mapped.enum;
  const isStrings = values?.every((value) => typeof value === 'string') === true;
  return { ...(isStrings && { type: 'string', enum: values }), ...mapped, ...further };
}

type Described = JsonSchema & { readonly [inDescription]?: JsonSchema };
