/**
 * Faults in the flags of a document that is not stored: flags that cannot be read, or cannot be evaluated with an empty context, names in
 * their rules that no variant has, and variants of different types. Runs only on a thread for flags.
 */

import type { FlagFindingBody } from '@holdfast/contract';
import { fill, flagMessages } from '@holdfast/contract/messages';
import { isObject } from '../common/objects.ts';
import { machineTime } from '../common/time/clock.ts';
import { FlagDocument } from './document.ts';
import { evaluateFlag } from './evaluate.ts';

/** Most findings in one response. */
const findingsMax = 20;

/**
 * Returns the findings. `skipped` are indexes of flags that took too long before. `onFlag` gets the index of each flag before it is
 * evaluated.
 */
export function findingsOf(text: string, skipped: readonly number[], onFlag: (index: number) => void): FlagFindingBody[] {
  const document = new FlagDocument(text);
  if (document.fault !== undefined) return [{ flag: '', message: document.fault }];
  const written: Readonly<Record<string, unknown>> = JSON.parse(text);
  const flags = isObject(written.flags) ? written.flags : {};
  const found: FlagFindingBody[] = [];
  for (const [index, [flag, value]] of Object.entries(flags).entries()) {
    if (found.length >= findingsMax) break;
    if (skipped.includes(index)) {
      found.push({ flag, message: flagMessages.tooSlow });
      continue;
    }
    onFlag(index);
    const fault = faultOf(document, flag) ?? unknownVariant(value, written.$evaluators);
    for (const message of [fault, mixedTypes(value)]) if (message !== undefined) found.push({ flag, message });
  }
  return found.slice(0, findingsMax);
}

function faultOf(document: FlagDocument, key: string): string | undefined {
  const flag = document.flag(key);
  return flag === undefined ? undefined : evaluateFlag(flag, document, {}, machineTime()).errorDetails;
}

/** A name that the rules can return, and that no variant has. */
function unknownVariant(flag: unknown, evaluators: unknown): string | undefined {
  if (!isObject(flag) || !isObject(flag.variants)) return undefined;
  const { variants } = flag;
  for (const name of resultsIn(flag.targeting, evaluators, new Set())) {
    if (!Object.hasOwn(variants, name)) return fill(flagMessages.noVariant, { name: JSON.stringify(name.slice(0, 64)) });
  }
  return undefined;
}

/** The names in the result positions of a rule: the branches of `if`, the shares of `fractional`. */
function* resultsIn(rule: unknown, evaluators: unknown, referred: Set<string>): Generator<string, void, undefined> {
  if (typeof rule === 'string' || typeof rule === 'boolean') yield String(rule);
  if (!isObject(rule)) return;
  const { if: branches = rule['?:'], fractional: shares, $ref: name } = rule;
  if (Array.isArray(branches)) {
    for (const [at, branch] of branches.entries()) {
      const isResult = at % 2 === 1 || at === branches.length - 1;
      if (isResult) yield* resultsIn(branch, evaluators, referred);
    }
  }
  if (Array.isArray(shares)) {
    for (const share of shares) if (Array.isArray(share)) yield* resultsIn(share[0], evaluators, referred);
  }
  if (typeof name === 'string' && !referred.has(name) && isObject(evaluators) && Object.hasOwn(evaluators, name)) {
    referred.add(name);
    yield* resultsIn(evaluators[name], evaluators, referred);
  }
}

/** A client that asks for one type gets an error for variants of another. */
function mixedTypes(flag: unknown): string | undefined {
  const variants = isObject(flag) && isObject(flag.variants) ? Object.values(flag.variants) : [];
  const types = [...new Set(variants.map(typeOf))];
  return types.length > 1 ? fill(flagMessages.mixedTypes, { types: types.join(', ') }) : undefined;
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
