/**
 * One request of the OpenFeature Remote Evaluation Protocol over a compiled document. Runs only on a thread for flags.
 *
 * @see https://github.com/open-feature/protocol/blob/main/service/openapi.yaml
 */

import { hash } from 'node:crypto';
import type { FlagErrorCode } from '@holdfast/contract';
import { flagMessages } from '@holdfast/contract/messages';
import { isObject } from '../common/objects.ts';
import { quoted } from '../common/text/quoted.ts';
import { type CompiledFlag, FlagDocument } from './document.ts';
import { type FlagContext, resolveFlag } from './flag.ts';

export interface FlagQuery {
  /** The body of the request, as received. */
  readonly body: Uint8Array;
  /** The key of one flag; undefined asks for all. */
  readonly key: string | undefined;
  /** Replaces the `targetingKey` of the body. */
  readonly targetingKey: string | undefined;
}

export interface TimedFlagQuery extends FlagQuery {
  /** Milliseconds since the epoch, for rules that ask for the time. */
  readonly at: number;
  /** Indexes of flags that took too long before. */
  readonly skipped: readonly number[];
}

export interface FlagFailure {
  readonly kind: 'failed';
  /** The cause of the failure: the request, the flag or its document, or the name of the flag. */
  readonly cause: 'request' | 'flag' | 'unknown_flag';
  readonly key: string | undefined;
  readonly errorCode: FlagErrorCode;
  readonly message: string;
}

export type FlagOutcome =
  | { readonly kind: 'evaluated' /** JSON. */; readonly text: string; readonly entityTag: `W/"${string}"` }
  | FlagFailure;

/** Largest response, in characters: flags over it report that. A document has 256,000, and each flag adds metadata. */
const responseCharactersMax = 1_000_000;
const messageCharactersMax = 300;

/** Returns the outcome. `onFlag` gets the index of each flag before it is evaluated. */
export function evaluateFlags(
  document: FlagDocument,
  question: TimedFlagQuery,
  onFlag: (index: number) => void,
): FlagOutcome {
  const { key } = question;
  const read = readContext(question);
  if (read.kind === 'failed') return read;
  if (document.fault !== undefined) return failure('flag', key, 'PARSE_ERROR', document.fault);
  return key === undefined
    ? evaluateAll(document, read.context, question, onFlag)
    : evaluateOne(document, key, read.context, question.at);
}

/** Returns the outcome if no state has been written. */
export function evaluateNothing(question: TimedFlagQuery): FlagOutcome {
  return evaluateFlags(new FlagDocument('{}'), question, () => {});
}

function readContext({ body, key, targetingKey }: TimedFlagQuery): { kind: 'context'; context: FlagContext } | FlagFailure {
  const request = parsed(body);
  if (request === undefined) return failure('request', key, 'PARSE_ERROR', 'the body is not JSON');
  if (!isObject(request)) return failure('request', key, 'PARSE_ERROR', 'the body must be an object');
  const { context = {} } = request;
  if (!isObject(context)) return failure('request', key, 'INVALID_CONTEXT', '"/context" must be an object');
  const given = Object.hasOwn(context, 'targetingKey') ? context.targetingKey : undefined;
  if (given !== undefined && typeof given !== 'string') {
    return failure('request', key, 'INVALID_CONTEXT', '"/context/targetingKey" must be a string');
  }
  return { kind: 'context', context: targetingKey === undefined ? context : { ...context, targetingKey } };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function evaluateOne(document: FlagDocument, key: string, context: FlagContext, at: number): FlagOutcome {
  const flag = document.flag(key);
  if (flag === undefined) return failure('unknown_flag', key, 'FLAG_NOT_FOUND', `there is no flag ${quoted(key)}`);
  const item = evaluateFlag(flag, document, context, at);
  if (item.errorCode !== undefined) return failure('flag', key, item.errorCode, item.errorDetails ?? '');
  return evaluated(JSON.stringify(item));
}

function evaluateAll(
  document: FlagDocument,
  context: FlagContext,
  { skipped, at }: TimedFlagQuery,
  onFlag: (index: number) => void,
): FlagOutcome {
  let characters = 0;
  const items = [...document.keys].map((key, index) => {
    if (skipped.includes(index)) return JSON.stringify(flagError(key, 'GENERAL', flagMessages.tooSlow));
    onFlag(index);
    const text = JSON.stringify(evaluateFlag(document.flag(key) as CompiledFlag, document, context, at));
    characters += text.length;
    return characters <= responseCharactersMax ? text : JSON.stringify(flagError(key, 'GENERAL', responseFull));
  });
  const metadata = Object.keys(document.metadata).length > 0 ? `,"metadata":${JSON.stringify(document.metadata)}` : '';
  return evaluated(`{"flags":[${items.join(',')}]${metadata}}`);
}

const responseFull = 'the response has no room for more flags; ask for this one by its key';

function evaluated(text: string): FlagOutcome {
  return { kind: 'evaluated', text, entityTag: `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"` };
}

interface FlagItem {
  readonly key: string;
  readonly value?: unknown;
  readonly reason?: string;
  readonly variant?: string;
  readonly metadata?: object;
  readonly errorCode?: FlagErrorCode;
  readonly errorDetails?: string;
}

/** Stands for the variant of a flag without a value. Some providers fail without the member. */
const noVariant = '';

/** Returns the result of a flag. Without a value, the client's code uses its default. */
export function evaluateFlag(
  compiled: CompiledFlag,
  { metadata: ofSet }: FlagDocument,
  context: FlagContext,
  at: number,
): FlagItem {
  const { key } = compiled;
  if (compiled.fault !== undefined) return flagError(key, 'PARSE_ERROR', compiled.fault);
  const all = { ...ofSet, ...compiled.metadata };
  const metadata = Object.keys(all).length > 0 && { metadata: all };
  if (!compiled.flag.isEnabled) return { key, reason: 'DISABLED', variant: noVariant, ...metadata };
  const resolution = resolveFlag(compiled.flag, context, at);
  switch (resolution.kind) {
    case 'value':
      return { key, reason: resolution.reason, ...metadata, value: resolution.value, variant: resolution.variant };
    case 'no_value':
      return { key, reason: 'DEFAULT', ...metadata, variant: noVariant };
    case 'fault':
      return flagError(key, 'GENERAL', resolution.message);
  }
}

const flagError = (key: string, errorCode: FlagErrorCode, details: string): FlagItem => ({
  key,
  errorCode,
  errorDetails: details.slice(0, messageCharactersMax),
});

/** Returns the failure of a whole request. */
export function failure(
  cause: FlagFailure['cause'],
  key: string | undefined,
  errorCode: FlagErrorCode,
  message: string,
): FlagFailure {
  return { kind: 'failed', cause, key, errorCode, message: message.slice(0, messageCharactersMax) };
}
