/** Flags of a document in flagd's format: read, created and changed, without changing anything else in it. */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { type Condition, type Outcome, readTargeting, type Targeting, writeTargeting } from './targeting.ts';

/** Returns the flags of a document; undefined if its `flags` is not an object. */
export function flagsOf(document: JsonObject): JsonObject | undefined {
  const { flags = {} } = document;
  return isJsonObject(flags) ? flags : undefined;
}

/** Returns the document with a flag set; undefined removes it. */
export const withFlag = (document: JsonObject, key: string, flag: JsonValue | undefined): JsonObject =>
  withMember(document, 'flags', withMember(flagsOf(document) ?? {}, key, flag));

/** Returns an object with a member set in its place, or at the end; undefined removes it. */
export function withMember(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  if (value === undefined) return Object.fromEntries(Object.entries(object).filter(([one]) => one !== name));
  return { ...object, [name]: value };
}

/** Whether pages can show a flag: its state and variants have the form that the service requires. */
export const isFlag = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined &&
  isJsonObject(value) &&
  (value.state === 'ENABLED' || value.state === 'DISABLED') &&
  isJsonObject(value.variants ?? null);

export const isOn = (flag: JsonObject): boolean => flag.state === 'ENABLED';

export const withState = (flag: JsonObject, isOnNext: boolean): JsonObject =>
  withMember(flag, 'state', isOnNext ? 'ENABLED' : 'DISABLED');

export const variantsOf = ({ variants = {} }: JsonObject): JsonObject => (isJsonObject(variants) ? variants : {});

/** The name of the default variant; undefined: the default is in the code of the game. */
export const defaultOf = ({ defaultVariant }: JsonObject): string | undefined =>
  typeof defaultVariant === 'string' && defaultVariant !== '' ? defaultVariant : undefined;

/** What its author wrote about a flag. */
export function descriptionOf({ metadata = {} }: JsonObject): string | undefined {
  const text = isJsonObject(metadata) ? metadata.description : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Returns the flag with other rules. */
export const withTargeting = (flag: JsonObject, targeting: Targeting): JsonObject =>
  withMember(flag, 'targeting', writeTargeting(targeting));

/** Returns the flag with a variant renamed wherever its rows name it. JSON in its rules stays. */
export function withVariantRenamed(flag: JsonObject, from: string, to: string): JsonObject {
  const name = (one: string) => (one === from ? to : one);
  const variants = Object.entries(variantsOf(flag)).map(([one, value]) => [name(one), value] as const);
  const renamed = withMember(flag, 'variants', Object.fromEntries(variants));
  const targeting = readTargeting(flag.targeting);
  const next = withTargeting(renamed, {
    ...targeting,
    rules: targeting.rules.map((rule) => ({ ...rule, result: withNames(rule.result, name) })),
    otherwise: targeting.otherwise && withNames(targeting.otherwise, name),
  });
  return defaultOf(flag) === from ? withMember(next, 'defaultVariant', to) : next;
}

function withNames(outcome: Outcome, name: (one: string) => string): Outcome {
  if (outcome.kind === 'variant') return { ...outcome, name: name(outcome.name) };
  if (outcome.kind !== 'shares') return outcome;
  return { ...outcome, shares: outcome.shares.map((share) => ({ ...share, variant: name(share.variant) })) };
}

/** Collects the attributes that rules read, by the beginning of their paths. */
export function collectAttributes(rule: JsonValue | undefined, into: Set<string>): void {
  if (Array.isArray(rule)) for (const part of rule) collectAttributes(part, into);
  else if (rule !== undefined && isJsonObject(rule)) {
    for (const [name, value] of Object.entries(rule)) {
      const path = name === 'var' && Array.isArray(value) ? value[0] : value;
      if (name !== 'var') collectAttributes(value, into);
      else if (typeof path === 'string' && path !== '' && !path.startsWith('$flagd')) into.add(path);
    }
  }
}

/** What a new flag starts as. */
export type Template =
  | { readonly kind: 'switch' }
  /** `only`: the condition that players must fulfil; undefined for none. */
  | { readonly kind: 'rollout'; readonly percent: number; readonly only: Condition | undefined }
  | { readonly kind: 'choice'; readonly names: readonly string[] };

/** Returns a new flag. */
export function newFlag(template: Template): JsonObject {
  if (template.kind === 'choice') {
    const [first = ''] = template.names;
    const variants = Object.fromEntries(template.names.map((name) => [name, name]));
    return { state: 'ENABLED', variants, defaultVariant: first };
  }
  const flag: JsonObject = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' };
  if (template.kind === 'switch') return flag;
  const { percent, only } = template;
  // Whole weights, so that half a percent is possible too.
  const scale = Number.isInteger(percent) ? 1 : 100;
  const on = Math.round(percent * scale);
  const shares: Outcome = {
    kind: 'shares',
    by: undefined,
    shares: [
      { variant: 'on', weight: on },
      { variant: 'off', weight: 100 * scale - on },
    ],
  };
  const rules = only === undefined ? [] : [{ when: only, result: shares }];
  return withTargeting(flag, { ...readTargeting(undefined), rules, otherwise: only === undefined ? shares : undefined });
}
