/** Checks bodies of management requests against the schemas of the contract. */
import type { ComponentName } from '@holdfast/contract';
import type { components } from '@holdfast/contract/schemas';
import type { Static, TSchema } from 'typebox';
import { memoised } from '../../common/async/memoised.ts';
import { Refusal } from '../../common/requests/refusal.ts';

/** A record of the contract. */
export type RecordOf<Name extends ComponentName> = Static<(typeof components)[Name]>;

/**
 * Returns a function that checks a parsed body against the schema `name` and returns it typed, or throws `validation_error` naming the
 * first member that breaks a rule. Unknown members pass, and callers ignore them. Schemas and their compiler are loaded with the first
 * body: a service that only keeps state never needs them.
 */
export function bodyReader<Name extends ComponentName>(name: Name): (body: unknown) => Promise<RecordOf<Name>> {
  const compiled = memoised(() => compile(name));
  return async (body) => {
    const { validator, members, isChange } = await compiled();
    const short = shortened(body, members);
    // A change has at least one known member.
    if (validator.Check(body) && (!isChange || validator.Check(short))) return body as RecordOf<Name>;
    const { meaningOfPattern } = await import('@holdfast/contract/schemas');
    const faults = validator.Errors(short).map((fault) => inWords(fault, meaningOfPattern, members));
    throw new Refusal('validation_error', firstFault(faults));
  };
}

/** More items than any list in a record may have. */
const itemsNamedMax = 64;

/**
 * The body without unknown members, and with long lists cut short: validation takes some microseconds per member and item, and a body has
 * room for 65,000. The first fault stays the same.
 */
function shortened(body: unknown, members: readonly string[]): unknown {
  const cut = (value: unknown) => (Array.isArray(value) ? value.slice(0, itemsNamedMax) : value);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return cut(body);
  const present = members.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(present.map((name) => [name, cut(Reflect.get(body, name))]));
}

/** Returns a record's reader. Where loading the schema is not worthwhile, the reader does without it. */
export function recordReader(name: ComponentName): (body: unknown) => Promise<unknown> {
  return name === 'LogoutBody' ? readLogout : bodyReader(name);
}

/** Services that otherwise only keep state still sign users out. */
async function readLogout(body: unknown): Promise<RecordOf<'LogoutBody'>> {
  const refreshToken = typeof body === 'object' && body !== null && 'refreshToken' in body ? body.refreshToken : undefined;
  if (typeof refreshToken === 'string' && refreshToken !== '') return { refreshToken };
  throw new Refusal('validation_error', '"/refreshToken" must be a non-empty string');
}

async function compile(name: ComponentName) {
  const [schemas, { Compile }] = await Promise.all([import('@holdfast/contract/schemas'), import('typebox/compile')]);
  const schema: TSchema & { readonly properties?: object; readonly minProperties?: number } = schemas.components[name];
  const isChange = schema.minProperties !== undefined;
  return { validator: Compile(schema), members: Object.keys(schema.properties ?? {}), isChange };
}

interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/** Words the fault without a regular expression. If the body needs at least one of several members, the message names them. */
function inWords(fault: Fault, meaningOf: (pattern: string) => string | undefined, members: readonly string[]): Fault {
  if (fault.keyword === 'minProperties' && fault.instancePath === '')
    return { ...fault, message: `must have ${members.join(' or ')}` };
  if (fault.keyword !== 'pattern' || !('pattern' in fault.params)) return fault;
  const meaning = meaningOf(String(fault.params.pattern));
  return { ...fault, message: meaning === undefined ? 'has a form that is not allowed' : `must be ${meaning}` };
}

/** For a member of several allowed types, the message lists them all: `must be string, or must be null`. */
function firstFault(faults: readonly Fault[]): string {
  const path = faults[0]?.instancePath ?? '';
  const rules = faults.filter(({ instancePath, keyword }) => instancePath === path && keyword !== 'anyOf');
  const isChoice = faults.some(({ instancePath, keyword }) => instancePath === path && keyword === 'anyOf');
  const messages = isChoice ? rules.map(({ message }) => message) : rules.slice(0, 1).map(({ message }) => message);
  return `${path === '' ? 'the body' : JSON.stringify(path)} ${messages.join(', or ')}`;
}
