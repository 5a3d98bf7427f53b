/** The records as plain JSON Schema 2020-12, without the validator's internals. */
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
  WebhookDeliveryId,
  WebhookId,
} from './schemas.ts';

/** Named schemas of the description: every record, and parts shared by several records. */
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
  WebhookDeliveryId,
  WebhookId,
} as const satisfies Record<string, TSchema>;
export type SchemaName = keyof typeof namedSchemas;

/** A reference to a named schema of the description. */
export function schemaReference(name: SchemaName): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema as plain JSON. The validator's internals are functions or not enumerable, so printing drops them. */
export function plainSchema(schema: TSchema): JsonSchema {
  return readable(JSON.parse(JSON.stringify(schema)));
}

/** Every named schema, with references for nested named schemas, and an example if there is one. */
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
 * Adds facts that readers and generators would otherwise have to infer or miss: the type of a string enumeration, and a constant as an
 * enumeration of one. Adds the keywords that only the description uses.
 */
function readable(schema: JsonSchema): JsonSchema {
  const described: Described = mapParts(schema, readable);
  const { const: constant, [inDescription]: further, ...mapped } = described;
  const values = typeof constant === 'string' ? [constant] : mapped.enum;
  const isStrings = values?.every((value) => typeof value === 'string') === true;
  return { ...(isStrings && { type: 'string', enum: values }), ...mapped, ...further };
}

type Described = JsonSchema & { readonly [inDescription]?: JsonSchema };
