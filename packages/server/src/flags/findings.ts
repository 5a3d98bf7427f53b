/** What is wrong with the flags of a document, as far as reading them and evaluating them for nobody in particular shows. */
import type { FlagOutcome } from './evaluate.ts';
import { isObject } from './rules/values.ts';

export interface FlagFinding {
  readonly flag: string;
  readonly message: string;
}

/** The most findings that one answer names. */
const findingsMax = 20;
/** Variants of a longer document are not compared: it would be read once more, on the main thread. */
const comparedCharactersMax = 65_536;

/** Returns the findings of an evaluation of all flags of a document. `stateText` is the document. */
export function findingsOf(outcome: FlagOutcome, stateText: string): readonly FlagFinding[] {
  if (outcome.kind === 'failed') return [{ flag: '', message: outcome.message }];
  const failed = failedFlags(JSON.parse(outcome.text));
  return [...failed, ...mixedFlags(stateText)].slice(0, findingsMax);
}

function failedFlags(response: unknown): FlagFinding[] {
  const flags = isObject(response) && Array.isArray(response.flags) ? response.flags : [];
  return flags.flatMap((item: unknown) =>
    isObject(item) && item.errorCode !== undefined ? [{ flag: String(item.key), message: String(item.errorDetails) }] : [],
  );
}

/** Flags whose variants are of different types: a client that asks for one type gets an error for the others. */
function mixedFlags(stateText: string): FlagFinding[] {
  if (stateText.length > comparedCharactersMax) return [];
  const document: unknown = JSON.parse(stateText);
  const flags = isObject(document) && isObject(document.flags) ? document.flags : {};
  return Object.entries(flags).flatMap(([flag, written]) => {
    const variants = isObject(written) && isObject(written.variants) ? Object.values(written.variants) : [];
    const types = [...new Set(variants.map(typeOf))];
    return types.length > 1 ? [{ flag, message: `its variants are of different types: ${types.join(', ')}` }] : [];
  });
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
