/** The messages about schemas and about documents that violate them. */

/** The types of JSON Schema. */
export const schemaTypes = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] as const;
export type SchemaType = (typeof schemaTypes)[number];

/** What is between the names of types in {@link violationMessages}. */
export const typeSeparator = ' or ';

/** A member's name in a message: as a JSON string, cut at 64 characters. */
export const shownName = (name: string): string => JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);

/** A schema's number in a message: its JSON text, cut at 40 characters. */
export const shownNumber = (text: string): string => text.slice(0, 40);

/** What a value must be, mostly named by the keyword that demands it. */
export const violationMessages = {
  type: 'must be {types}',
  enum: 'must be one of the {count} values that "enum" lists',
  const: 'must be the value of "const"',
  multipleOf: 'must be a multiple of {step}',
  maximum: 'must be at most {limit}',
  exclusiveMaximum: 'must be less than {limit}',
  minimum: 'must be at least {limit}',
  exclusiveMinimum: 'must be greater than {limit}',
  maxLength: 'must have at most {limit} characters',
  minLength: 'must have at least {limit} characters',
  pattern: 'must match the pattern',
  maxItems: 'must have at most {limit} items',
  minItems: 'must have at least {limit} items',
  uniqueItems: 'must have no two equal items',
  maxProperties: 'must have at most {limit} members',
  minProperties: 'must have at least {limit} members',
  /** `required` and `dependentRequired`. */
  member: 'must have the member {member}',
  contains: 'must have at least {least} items that fit "contains"',
  /** `contains` with `maxContains`. */
  containsUpTo: 'must have {least} to {most} items that fit "contains"',
  anyOf: 'must fit one of the {count} schemas of "anyOf"',
  oneOf: 'must fit exactly one of the {count} schemas of "oneOf", not {fitting}',
  not: 'must not fit the schema of "not"',
  /** The schema `false`. */
  false: 'must not be there',
  'x-write': 'is a value that only servers write',
  'x-increase-max': 'may increase by at most {step} in one write',
  'x-decrease-max': 'may decrease by at most {step} in one write',
  /** `x-increase-max` and `x-decrease-max`, of other values than numbers. */
  numberForEver: 'must be a number and stay one',
  'x-append-only': 'must keep what it had and may only grow at its end',
  budget: 'the evaluation takes more than its budget, so whether the document fits is not known',
} as const;
export type ViolationPattern = (typeof violationMessages)[keyof typeof violationMessages];

/** Why a schema is not usable. `{keyword}` is the keyword at fault. */
export const schemaFaultMessages = {
  notSchema: 'a schema must be an object or a boolean',
  notJson: 'the schema is no JSON that can be read: {fault}',
  characters: 'the schema has {count} characters; at most {limit} are allowed',
  schemas: 'the schema has more than {limit} schemas',
  levels: 'the schema has schemas in each other on more than {limit} levels',
  references: 'the schema has more than {limit} references',
  patterns: 'the schema has too many or too large regular expressions',
  classes: 'the schema names {count} classes of characters such as \\p{L}; at most {limit} are allowed',
  circle: 'the schema leads back to itself without going down into the document',
  draft: '"$schema" must be "{draft}" or left out',
  unknown: '"{keyword}" is no keyword that is known here',
  misspelt: '"{keyword}" is no keyword that is known here; did you mean "{near}"?',
  count: '"{keyword}" must be an integer of at least 0',
  array: '"{keyword}" must be an array',
  names: '"{keyword}" must be an array of strings',
  repeated: '"{keyword}" must name nothing twice',
  noSchemas: '"{keyword}" must have at least one schema',
  object: '"{keyword}" must be an object',
  string: '"{keyword}" must be a string',
  boolean: '"{keyword}" must be a boolean',
  number: '"{keyword}" must be a number',
  positive: '"{keyword}" must be a number greater than 0',
  notNegative: '"{keyword}" must be a number of at least 0',
  true: '"{keyword}" must be true',
  server: '"{keyword}" must be "server"',
  types: '"{keyword}" must be of {types}',
  exponent: '"{keyword}" has a number whose exponent is beyond all bounds',
  pattern: '"{keyword}" is refused: {reason}',
  uri: '"{keyword}" is no URI reference',
  fragment: '"{keyword}" must have no fragment',
  sameId: 'another schema has the same "$id"',
  anchor: '"{keyword}" must be a name of letters, digits, ".", "_" and "-"',
  sameAnchor: 'another schema has the same anchor',
  target: '"{keyword}" leads to no schema in this one: a reference to somewhere else is never fetched',
  escapable:
    '"{keyword}" may only stand below properties, items, prefixItems, additionalProperties and a local $ref: elsewhere a write could escape it',
} as const;
export type SchemaFaultPattern = (typeof schemaFaultMessages)[keyof typeof schemaFaultMessages];

/** Why a regular expression is refused: the `{reason}` of {@link schemaFaultMessages}. */
export const patternFaultMessages = {
  characters: 'the pattern has {count} characters; at most {limit} are allowed',
  instructions: 'the pattern compiles to {count} instructions; at most {limit} are allowed',
  syntax: 'the pattern is no regular expression of ECMA-262 with the flag "u"',
  notLinear:
    'the pattern uses what takes more than linear time or is unknown: back references, looking around, or a name of characters',
} as const;

/** Why a request is refused whose schema or state is at fault, as `validation_error` with `violations`. */
export const schemaRefusalMessages = {
  schema: 'the schema cannot be used: {fault}',
  state: 'the state does not fit the schema: {first}',
  flags: 'the state has flags that cannot be used: {first}',
} as const;

/** What may be a mistake in a usable schema. */
export const schemaWarningMessages = {
  unknown: '"{name}" is no keyword of JSON Schema, so it checks nothing',
  misspelt: '"{name}" is no keyword of JSON Schema, so it checks nothing; did you mean "{near}"?',
  refusesNothing: 'the schema refuses nothing: every document fits',
  wrapped: 'the schema stands inside a body with "mode" and "schema", so it checks nothing: send what is in "schema" alone',
} as const;
