/** Bodies of management requests against the schemas of the contract. */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Refusal } from '../access/refusal.ts';

/**
 * Returns a function that checks a parsed body against `schema` and returns it typed, or throws `validation_error` naming
 * the first member that breaks a rule. Members that the schema does not name are let through, and ignored by callers.
 */
export function bodyReader<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  const validator = Compile(schema);
  return (body) => {
    if (validator.Check(body)) return body as Static<Schema>;
    throw new Refusal('validation_error', firstFault(validator.Errors(body)));
  };
}

interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
}

/** Of a member that may be of several kinds every kind says what it misses: `must be string, or must be null`. */
function firstFault(faults: readonly Fault[]): string {
  const path = faults[0]?.instancePath ?? '';
  const rules = faults.filter(({ instancePath, keyword }) => instancePath === path && keyword !== 'anyOf');
  const isChoice = faults.some(({ instancePath, keyword }) => instancePath === path && keyword === 'anyOf');
  const messages = isChoice ? rules.map(({ message }) => message) : rules.slice(0, 1).map(({ message }) => message);
  return `${path === '' ? 'the body' : JSON.stringify(path)} ${messages.join(', or ')}`;
}
