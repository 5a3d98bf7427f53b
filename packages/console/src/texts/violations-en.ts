/** Violations of a schema, faults of schemas and of flags in English: nearly the service's own messages. */
import {
  fill,
  flagMessages,
  parametersIn,
  type SchemaType,
  schemaRefusalMessages,
  typeSeparator,
  violationMessages,
} from '@holdfast/contract/messages';

/** What rules demand: as the service says it about a value, and where that depends on the value, without it. */
export const ruleMessages = {
  ...violationMessages,
  exactlyOne: 'must fit exactly one schema in "oneOf"',
} as const;

export type TypeNames = Readonly<Record<SchemaType, string>>;

/** Returns the names of the types in a message; undefined if one of them is not a type. */
export function typesIn(text: string, names: TypeNames, or: string): string | undefined {
  const isType = (type: string): type is SchemaType => Object.hasOwn(names, type);
  const types = text.split(typeSeparator);
  return types.every(isType) ? types.map((type) => names[type]).join(or) : undefined;
}

const types: TypeNames = {
  null: 'empty (null)',
  boolean: 'true or false',
  object: 'a group of fields',
  array: 'a list',
  number: 'a number',
  string: 'a text',
  integer: 'a whole number',
};

/** The service's own message, but with types in common words. */
function violation(message: string): string {
  const found = typesIn(parametersIn(violationMessages.type, message)?.types ?? '', types, ' or ');
  return found === undefined ? message : fill(violationMessages.type, { types: found });
}

const asSent = (message: string): string => message;

export const texts = {
  /** About a document that violates a schema, what a rule demands, or a schema that is not usable. */
  violation,
  /** About a usable schema. */
  warning: asSent,
  /** About a feature flag. */
  flag: asSent,
  /** Whether a refusal is about a schema itself. */
  isOfSchema: (message: string): boolean => parametersIn(schemaRefusalMessages.schema, message) !== undefined,
  /** The variant that a message about a feature flag misses, as a JSON string; undefined for any other message. */
  missingVariant: (message: string): string | undefined => parametersIn(flagMessages.noVariant, message)?.name,
};

export type ViolationTexts = typeof texts;
