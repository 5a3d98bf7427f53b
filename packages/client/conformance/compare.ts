/** Compares a client's requests and results with those of a case. Each function returns the difference, or undefined. */
import { assertionFault } from './assertion.ts';
import type { ExpectedRequest, HeaderRule } from './cases.ts';

/** A received request. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Milliseconds since the previous response. */
  readonly afterMs: number;
}

const print = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** Compares the expected members recursively; lists must be equal. */
export function mismatch(expected: unknown, found: unknown, at = 'the result'): string | undefined {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) {
    return equals(expected, found) ? undefined : `${at} is ${print(found)}, and not ${print(expected)}`;
  }
  if (typeof found !== 'object' || found === null) return `${at} is ${print(found)}, and not ${print(expected)}`;
  for (const [name, member] of Object.entries(expected)) {
    const fault = mismatch(member, (found as Record<string, unknown>)[name], `${at}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Whether two JSON values are equal. */
function equals(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const names = Object.keys(one);
  const isSameKind = Array.isArray(one) === Array.isArray(other) && names.length === Object.keys(other).length;
  return isSameKind && names.every((name) => Object.hasOwn(other, name) && equals(member(one, name), member(other, name)));
}

const member = (value: object, name: string): unknown => (value as Record<string, unknown>)[name];

/** Returns the first fault of a request. `saved` contains headers from earlier in the case. */
export function requestFault(expected: ExpectedRequest, seen: Seen, saved: Map<string, string>): string | undefined {
  const { method, path, since, notBeforeMs } = expected;
  if (seen.method !== method) return `the method is ${seen.method}, and not ${method}`;
  if (path !== undefined && seen.url.pathname !== path) return `the path is ${seen.url.pathname}, and not ${path}`;
  for (const [name, rule] of Object.entries(expected.headers ?? {})) {
    const fault = headerFault(name, rule, seen.headers[name.toLowerCase()]?.toString(), saved);
    if (fault !== undefined) return fault;
  }
  if (since !== undefined) {
    const given = seen.url.searchParams.get('since') ?? seen.headers['last-event-id']?.toString() ?? null;
    if (given !== (since === null ? null : String(since))) return `it goes on from ${given}, and not from ${since}`;
  }
  if (notBeforeMs !== undefined && seen.afterMs < notBeforeMs) {
    return `it comes after ${seen.afterMs.toFixed(0)} ms, and not after ${notBeforeMs}`;
  }
  if (expected.assertion !== undefined) {
    const assertion = assertionIn(seen, expected.assertion.in ?? 'assertion');
    const fault = assertionFault(expected.assertion, assertion, seen.url.origin, saved);
    if (fault !== undefined) return fault;
  }
  return bodyFault(expected, seen.body);
}

/** The assertion in a form or JSON body; empty if there is none. */
function assertionIn({ headers, body }: Seen, name: string): string {
  const isForm = headers['content-type']?.toString().startsWith('application/x-www-form-urlencoded');
  try {
    return String(isForm ? new URLSearchParams(body).get(name) : member(JSON.parse(body), name));
  } catch {
    return '';
  }
}

function headerFault(name: string, rule: HeaderRule, found: string | undefined, saved: Map<string, string>) {
  if (rule === null || typeof rule === 'string') {
    return (found ?? null) === rule ? undefined : `${name} is ${found}, and not ${rule}`;
  }
  if (found === undefined) return `${name} is missing`;
  if ('save' in rule) saved.set(rule.save, found);
  else if ('matches' in rule && !new RegExp(rule.matches).test(found)) return `${name} is ${found}`;
  else if ('same' in rule && saved.get(rule.same) !== found) return `${name} has changed`;
  else if ('differs' in rule && saved.get(rule.differs) === found) return `${name} is the same again`;
  return undefined;
}

function bodyFault({ body, patches, form, withoutForm = [], contains }: ExpectedRequest, text: string): string | undefined {
  if (contains !== undefined && !text.includes(contains)) return `the body does not have ${contains}: ${text}`;
  if (form !== undefined) {
    const fault = mismatch(form, Object.fromEntries(new URLSearchParams(text)), 'the form');
    if (fault !== undefined) return fault;
  }
  const unwanted = withoutForm.find((name) => new URLSearchParams(text).has(name));
  if (unwanted !== undefined) return `the form has ${unwanted}`;
  if (body === undefined && patches === undefined) return undefined;
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return `the body is no JSON: ${text}`;
  }
  if (body !== undefined && !equals(body, found)) return `the body is ${text}, and not ${print(body)}`;
  if (patches === undefined) return undefined;
  const after = applied(patches.from, (found as { readonly ops?: readonly Operation[] }).ops ?? []);
  return equals(after, patches.to) ? undefined : `the patch leads to ${print(after)}, and not to ${print(patches.to)}`;
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** Applies operations on members of the root, or on the root itself. */
function applied(document: unknown, ops: readonly Operation[]): unknown {
  let result = { ...(document as Record<string, unknown>) };
  for (const { op, path, value } of ops) {
    if (path === '') result = value as typeof result;
    else if (op === 'remove') delete result[path.slice(1)];
    else result[path.slice(1)] = value;
  }
  return result;
}
