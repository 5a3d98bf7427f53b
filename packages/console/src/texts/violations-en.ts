/** Violations of a schema, faults of schemas and of flags in English: the service's own messages. */
import { flagMessages, parametersIn, schemaRefusalMessages, violationMessages } from '@holdfast/contract/messages';

/** What rules demand: as the service says it about a value, and where that depends on the value, without it. */
export const ruleMessages = {
  ...violationMessages,
  members: 'must have the members {members}',
  exactlyOne: 'must fit exactly one of the {count} schemas of "oneOf"',
} as const;

const asSent = (message: string): string => message;

export const texts = {
  /** About a document that violates a schema, what a rule demands, or a schema that is not usable. */
  violation: asSent,
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
