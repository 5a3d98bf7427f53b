/** Violations of a schema, and faults of schemas and flags, in the reader's language. */
import { textsOf } from './index.ts';

const [, now] = textsOf('violations');

/** Returns a violation's message. Unknown messages stay as sent. */
export const violationText = ({ message }: { readonly message: string }): string => now().violation(message);

/** Returns a warning about a usable schema. */
export const warningText = (message: string): string => now().warning(message);

/** Returns the fault of a feature flag. */
export const flagText = (message: string): string => now().flag(message);

/** Whether the message of a refusal with violations is about a schema itself. */
export const isOfSchema = (message: string): boolean => now().isOfSchema(message);

/** Returns the variant that a message about a feature flag misses; undefined for any other message. */
export const missingVariant = (message: string): string | undefined => now().missingVariant(message)?.slice(1, -1);
