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
  enum: 'must be one of the allowed values',
  const: 'must be the only allowed value',
  multipleOf: 'must be a multiple of {step}',
  maximum: 'must be at most {limit}',
  exclusiveMaximum: 'must be less than {limit}',
  minimum: 'must be at least {limit}',
  exclusiveMinimum: 'must be greater than {limit}',
  maxLength: 'must have {limit} or fewer characters',
  minLength: 'must have {limit} or more characters',
  pattern: 'must match the pattern',
  maxItems: 'must have {limit} or fewer entries',
  minItems: 'must have {limit} or more entries',
  uniqueItems: 'must not contain the same entry twice',
  maxProperties: 'must have {limit} or fewer fields',
  minProperties: 'must have {limit} or more fields',
  /** `required` and `dependentRequired`. */
  member: 'must contain {member}',
  contains: 'must have {least} or more entries that fit "contains"',
  /** `contains` with `maxContains`. */
  containsUpTo: 'must have {least} to {most} entries that fit "contains"',
  anyOf: 'must fit at least one schema in "anyOf"',
  oneOf: 'must fit exactly one schema in "oneOf", not {fitting}',
  not: 'must not fit the schema in "not"',
  /** The schema `false`. */
  false: 'is not allowed here',
  'x-write': 'can only be changed by servers',
  'x-increase-max': 'may increase by at most {step} per change',
  'x-decrease-max': 'may decrease by at most {step} per change',
  /** `x-increase-max` and `x-decrease-max`, of other values than numbers. */
  numberForEver: 'must be a number and stay one',
  'x-append-only': 'must keep its entries: new ones may only be added at the end',
  budget: 'is too large or too complex to be checked against the schema',
} as const;
export type ViolationPattern = (typeof violationMessages)[keyof typeof violationMessages];

/** Why a schema is not usable. `{keyword}` is the keyword at fault. */
export const schemaFaultMessages = {
  notSchema: 'a schema must be an object or a boolean',
  notJson: 'the schema is not valid JSON: {fault}',
  characters: 'the schema has {count} characters; at most {limit} are allowed',
  schemas: 'the schema has more than {limit} schemas',
  levels: 'the schema is nested more than {limit} levels deep',
  references: 'the schema has more than {limit} references',
  patterns: 'the schema has too many or too large regular expressions',
  classes: 'the schema uses {count} character classes such as \\p{L}; at most {limit} are allowed',
  circle: 'the schema refers to itself without going deeper into the document',
  draft: '"$schema" must be "{draft}" or left out',
  unknown: '"{keyword}" is not a known keyword',
  misspelt: '"{keyword}" is not a known keyword; did you mean "{near}"?',
  count: '"{keyword}" must be an integer of at least 0',
  array: '"{keyword}" must be an array',
  names: '"{keyword}" must be an array of strings',
  repeated: '"{keyword}" must not list anything twice',
  noSchemas: '"{keyword}" must have at least one schema',
  object: '"{keyword}" must be an object',
  string: '"{keyword}" must be a string',
  boolean: '"{keyword}" must be a boolean',
  number: '"{keyword}" must be a number',
  positive: '"{keyword}" must be a number greater than 0',
  notNegative: '"{keyword}" must be a number of at least 0',
  true: '"{keyword}" must be true',
  server: '"{keyword}" must be "server"',
  types: '"{keyword}" must be one of {types}',
  exponent: '"{keyword}" has a number with too large an exponent',
  pattern: '"{keyword}" is refused: {reason}',
  uri: '"{keyword}" is not a URI reference',
  fragment: '"{keyword}" must not have a fragment',
  sameId: 'another schema has the same "$id"',
  anchor: '"{keyword}" must be a name of letters, digits, ".", "_" and "-"',
  sameAnchor: 'another schema has the same anchor',
  target: '"{keyword}" does not lead to a part of this schema: references elsewhere are never fetched',
  escapable:
    '"{keyword}" may only be used under properties, items, prefixItems, additionalProperties and a local $ref: elsewhere, a write could get around it',
} as const;
export type SchemaFaultPattern = (typeof schemaFaultMessages)[keyof typeof schemaFaultMessages];

/** Why a regular expression is refused: the `{reason}` of {@link schemaFaultMessages}. */
export const patternFaultMessages = {
  characters: 'the pattern has {count} characters; at most {limit} are allowed',
  instructions: 'the pattern compiles to {count} instructions; at most {limit} are allowed',
  syntax: 'the pattern is not a valid regular expression (ECMA-262 with the flag "u")',
  notLinear:
    'the pattern uses something unknown, or something that can take more than linear time, such as a back reference or a lookaround',
} as const;

/** Why a request is refused whose schema or state is at fault, as `validation_error` with `violations`. */
export const schemaRefusalMessages = {
  schema: 'the schema cannot be used: {fault}',
  state: 'the state does not fit the schema: {first}',
  flags: 'the state has faulty flags: {first}',
} as const;

/** What may be a mistake in a usable schema. */
export const schemaWarningMessages = {
  unknown: '"{name}" is not a keyword of JSON Schema, so it checks nothing',
  misspelt: '"{name}" is not a keyword of JSON Schema, so it checks nothing; did you mean "{near}"?',
  refusesNothing: 'the schema refuses nothing: every document fits',
  wrapped:
    'the schema is wrapped in an object with "mode" and "schema", so it checks nothing: send only the content of "schema"',
} as const;
