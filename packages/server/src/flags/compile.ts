/** From the text of a document in flagd's format to flags that can be evaluated. Runs on a thread for flags only. */
import { FeatureFlag, type Flag } from '@openfeature/flagd-core';
import { Evaluators, isObject, RuleFault } from './rules.ts';

type Metadata = Readonly<Record<string, string | number | boolean>>;

/** A flag, or what is wrong with it. */
export type CompiledFlag =
  | { readonly key: string; readonly flag: FeatureFlag; readonly metadata: Metadata; readonly fault?: undefined }
  | { readonly key: string; readonly fault: string };

export interface CompiledDocument {
  /** In the order of the document. */
  readonly flags: readonly CompiledFlag[];
  /** Where each key stands among them. */
  readonly places: ReadonlyMap<string, number>;
  /** Metadata of the flag set. */
  readonly metadata: Metadata;
  /** What is wrong with the document as a whole. */
  readonly fault: string | undefined;
}

/** Each flag repeats the metadata of the set, so there must not be much of it. */
const setMetadataMembersMax = 64;
const setMetadataCharactersMax = 4_096;

const silent = { error: ignore, warn: ignore, info: ignore, debug: ignore };
function ignore(): void {}

/** Returns the flags of a document. One that is wrong says so and does not disturb the others. Throws nothing. */
export function compileDocument(text: string): CompiledDocument {
  const root: unknown = JSON.parse(text); // a document is an object; the store has it checked
  if (!isObject(root)) return documentFault('the document is no object');
  const { flags = {}, $evaluators, metadata } = root;
  if (!isObject(flags)) return documentFault('"flags" is no object');
  const ofSet = plainMetadata(metadata);
  const isTooMuch =
    Object.keys(ofSet).length > setMetadataMembersMax || JSON.stringify(ofSet).length > setMetadataCharactersMax;
  if (isTooMuch) {
    return documentFault(
      `"metadata" has more than ${setMetadataMembersMax} members or ${setMetadataCharactersMax} characters`,
    );
  }
  const evaluators = new Evaluators($evaluators);
  const compiled = Object.entries(flags).map(([key, flag]) => compileFlag(key, flag, evaluators));
  const places = new Map(compiled.map(({ key }, place) => [key, place]));
  return { flags: compiled, places, metadata: ofSet, fault: undefined };
}

function documentFault(fault: string): CompiledDocument {
  return { flags: [], places: new Map(), metadata: {}, fault };
}

function compileFlag(key: string, flag: unknown, evaluators: Evaluators): CompiledFlag {
  try {
    if (!isObject(flag)) throw new RuleFault('it is no object');
    if (!isObject(flag.variants)) throw new RuleFault('"variants" is no object');
    const given = Object.fromEntries(Object.entries(flag).filter(([name]) => flagMembers.has(name)));
    const targeting = targetingOf(flag.targeting, evaluators);
    const made = { ...given, ...(targeting !== undefined && { targeting }) } as unknown as Flag; // which it checks itself
    const metadata = plainMetadata(flag.metadata);
    return { key, flag: new FeatureFlag(key, made, silent, { disableDynamicCodeGeneration: true }), metadata };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read';
    return { key, fault: `the flag cannot be used: ${reason}` };
  }
}

/** Metadata is added to what comes out, not to each flag. */
const flagMembers: ReadonlySet<string> = new Set(['state', 'variants', 'defaultVariant']);

function targetingOf(targeting: unknown, evaluators: Evaluators): unknown {
  if (targeting === undefined || targeting === null) return undefined;
  if (!isObject(targeting)) throw new RuleFault('"targeting" is no object');
  return Object.keys(targeting).length === 0 ? undefined : evaluators.resolve(targeting);
}

/** Metadata is made of texts, numbers and booleans. */
function plainMetadata(metadata: unknown): Metadata {
  if (!isObject(metadata)) return {};
  const plain = Object.entries(metadata).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(plain) as Metadata;
}
