/** Bodies of management requests against the schemas of the contract. */
import type { components } from '@holdfast/contract/schemas';
import type { Static, TSchema } from 'typebox';
import { memoised } from '../../common/memoised.ts';
import { Refusal } from '../../common/refusal.ts';

type Components = typeof components;

/**
 * Returns a function that checks a parsed body against the schema `name` and returns it typed, or throws `validation_error`
 * naming the first member that breaks a rule. Members that the schema does not name are let through, and ignored by
 * callers. Schemas and their compiler are loaded with the first body: a service that only keeps state never needs them.
 */
export function bodyReader<Name extends keyof Components>(
  name: Name,
): (body: unknown) => Promise<Static<Components[Name]>> {
  const compiled = memoised(() => compile(name));
  return async (body) => {
    const { validator, members } = await compiled();
    if (validator.Check(body)) return body as Static<Components[Name]>;
    throw new Refusal('validation_error', firstFault(validator.Errors(shortened(body, members))));
  };
}

/** More items than any list of a record may have. */
const itemsToldMax = 64;

/**
 * The body without what the schema does not name, and with long lists cut short: looking for what is wrong takes some microseconds
 * for each member and item, and a body has room for 65,000. The first thing that is wrong stays what it is.
 */
function shortened(body: unknown, members: readonly string[]): unknown {
  const cut = (value: unknown) => (Array.isArray(value) ? value.slice(0, itemsToldMax) : value);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return cut(body);
  const present = members.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(present.map((name) => [name, cut(Reflect.get(body, name))]));
}

async function compile(name: keyof Components) {
  const [schemas, { Compile }] = await Promise.all([import('@holdfast/contract/schemas'), import('typebox/compile')]);
  const schema: TSchema & { readonly properties?: object } = schemas.components[name];
  return { validator: Compile(schema), members: Object.keys(schema.properties ?? {}) };
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
