/**
 * The flags of a document in flagd's format. A flag is compiled on first use, so a large document costs no more than its used
 * flags. Runs only on a thread for flags.
 */

import { fill, flagMessages } from '@holdfast/contract/messages';
import { isObject } from '../common/objects.ts';
import { type Flag, readFlag } from './flag.ts';
import { RuleCompiler } from './rules/compile.ts';
import { RuleFault } from './rules/rule-fault.ts';

type Metadata = Readonly<Record<string, string | number | boolean>>;

/** A flag, or its fault. */
export type CompiledFlag =
  | { readonly key: string; readonly flag: Flag; readonly metadata: Metadata; readonly fault?: undefined }
  | { readonly key: string; readonly fault: string };

/** Each flag repeats the metadata of the set, so its size is limited. */
const setMetadataMembersMax = 64;
const setMetadataCharactersMax = 4_096;

export class FlagDocument {
  /** Metadata of the flag set. */
  readonly metadata: Metadata;
  /** The fault of the document as a whole. */
  readonly fault: string | undefined;
  /** Characters of the document that are kept: its flags, and the parts to which their rules refer. */
  readonly characters: number;
  /** In the order of the document: flags as written, until they are compiled. */
  readonly #flags: Map<string, { readonly written: unknown } | CompiledFlag>;
  readonly #compiler: RuleCompiler;

  /** `text` is the document's, which the store has checked. */
  constructor(text: string) {
    const document: Readonly<Record<string, unknown>> = JSON.parse(text);
    const { flags = {}, $evaluators, metadata, ...others } = document;
    this.metadata = plainMetadata(metadata);
    this.fault = isObject(flags) ? metadataFault(this.metadata) : flagMessages.notObject;
    const written = isObject(flags) && this.fault === undefined ? Object.entries(flags) : [];
    this.#flags = new Map(written.map(([key, flag]) => [key, { written: flag }]));
    this.#compiler = new RuleCompiler($evaluators);
    this.characters = Math.max(text.length - JSON.stringify(others).length, 1);
  }

  /** The keys of all flags, in the order of the document. */
  get keys(): Iterable<string> {
    return this.#flags.keys();
  }

  /** Returns a flag; undefined if there is none. A bad flag reports its fault and does not affect the others. */
  flag(key: string): CompiledFlag | undefined {
    const known = this.#flags.get(key);
    if (known === undefined || !('written' in known)) return known;
    const compiled = compileFlag(key, known.written, this.#compiler);
    this.#flags.set(key, compiled);
    return compiled;
  }
}

function compileFlag(key: string, written: unknown, compiler: RuleCompiler): CompiledFlag {
  try {
    const flag = readFlag(key, written, compiler);
    return { key, flag, metadata: plainMetadata(isObject(written) ? written.metadata : undefined) };
  } catch (error) {
    if (error instanceof RuleFault) return { key, fault: fill(flagMessages.unusable, { reason: error.message }) };
    throw error;
  }
}

/** Metadata consists of strings, numbers and booleans. */
function plainMetadata(metadata: unknown): Metadata {
  if (!isObject(metadata)) return {};
  return Object.fromEntries(Object.entries(metadata).filter(isPlain));
}

const isPlain = (member: [string, unknown]): member is [string, string | number | boolean] =>
  ['string', 'number', 'boolean'].includes(typeof member[1]);

function metadataFault(metadata: Metadata): string | undefined {
  const isTooMuch =
    Object.keys(metadata).length > setMetadataMembersMax || JSON.stringify(metadata).length > setMetadataCharactersMax;
  return isTooMuch
    ? fill(flagMessages.metadata, { members: setMetadataMembersMax, characters: setMetadataCharactersMax })
    : undefined;
}
