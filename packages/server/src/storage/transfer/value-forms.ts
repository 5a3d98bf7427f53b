/** The allowed forms of single values, for values.ts: each form reports what is wrong with a value. */
import { proposalFailures } from '@holdfast/contract';
import { isJsonObject, parseJson } from '@holdfast/json';
import type { TransferValue } from './kinds.ts';

/** Returns why a non-null value cannot be stored in a field; undefined if it can. The reason never contains the value. */
export type Form = (value: Exclude<TransferValue, null>) => string | undefined;

/** A string with a maximum number of characters. */
export const text =
  (bytesMax: number, pattern?: RegExp): Form =>
  (value) => {
    if (typeof value !== 'string') return 'is no text';
    if (value.length > bytesMax) return `is longer than ${bytesMax} characters`;
    if (!value.isWellFormed()) return 'is no UTF-8';
    return pattern === undefined || pattern.test(value) ? undefined : 'has another form';
  };
/** A safe integer within these bounds. */
export const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): Form =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
      ? undefined
      : 'is no integer that can stand there';
/** Bytes within a range of lengths. */
export const bytes =
  (least: number, most = least): Form =>
  (value) =>
    value instanceof Uint8Array && value.length >= least && value.length <= most
      ? undefined
      : 'is no bytes of the right length';
/** One of the given words. */
export const word =
  (...words: readonly string[]): Form =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? undefined : `must be one of ${words.join(', ')}`;

/** JSON text that satisfies `isMeant` and is not nested too deeply to be written again. */
export const json =
  (bytesMax: number, isMeant: (parsed: unknown) => boolean): Form =>
  (value) => {
    const fault = text(bytesMax)(value);
    if (fault !== undefined) return fault;
    try {
      return isMeant(parseJson(value as string)) ? undefined : 'is JSON of another form';
    } catch {
      return 'is no JSON that the service can read';
    }
  };
/** The given constant, or a value of the given form. */
export const either =
  (constant: string | number, form: Form): Form =>
  (value) =>
    value === constant ? undefined : form(value);

/** Whether a JSON value is an object. */
export const isObject = (parsed: unknown): parsed is Readonly<Record<string, unknown>> => isJsonObject(parsed);
const isText = (parsed: unknown): boolean => typeof parsed === 'string';
/** Whether a JSON value is a list of the given words, or of any strings. */
export const isListOf =
  (words?: readonly string[]) =>
  (parsed: unknown): boolean =>
    Array.isArray(parsed) && parsed.every((each) => (words ? words.includes(each) : typeof each === 'string'));

const authorKinds = ['developer', 'api_key', 'service_account', 'operator'];

/** Whether a JSON value names the author of a version: a kind, an id, and optionally a name. */
export function isAuthor(parsed: unknown): boolean {
  if (!isObject(parsed)) return false;
  const { kind, id, name = '', ...others } = parsed;
  return authorKinds.includes(kind as string) && [id, name].every(isText) && Object.keys(others).length === 0;
}

/** Whether a JSON value is a list whose elements have a form. */
export const isListFor =
  (isMeant: (parsed: unknown) => boolean) =>
  (parsed: unknown): boolean =>
    Array.isArray(parsed) && parsed.every(isMeant);

/** Whether a JSON value is the approval of a proposal. */
export function isApproval(parsed: unknown): boolean {
  if (!isObject(parsed)) return false;
  const { memberId, author, at, comment } = parsed;
  return isText(memberId) && isAuthor(author) && Number.isSafeInteger(at) && (comment === null || isText(comment));
}

/** Whether a JSON value names somebody whose authority the store looks up. */
export const isProposer = (parsed: unknown): boolean =>
  isObject(parsed) && ['member', 'service_account', 'operator'].includes(parsed.kind as string) && isText(parsed.id);

/** Whether a JSON value says why a proposal was not applied or reverted. */
export const isFailure = (parsed: unknown): boolean =>
  isObject(parsed) &&
  proposalFailures.some((code) => code === parsed.code) &&
  isText(parsed.message) &&
  isListOf()(parsed.conflicts);

/** Whether a JSON value is the detail of an audit record: an object for each field. */
export const isDetail = (parsed: unknown): boolean => isObject(parsed) && Object.values(parsed).every(isObject);

/** Milliseconds since the epoch. */
export const time = integer(0);
/** A boolean, as 0 or 1. */
export const flag = integer(0, 1);
/** A SHA-256. */
export const hash = bytes(32);
/** A value sealed by a key of the service. */
export const sealed = bytes(1, 64 * 1024);
/** A CRC-32, as a signed number. */
export const checksum = integer(-(2 ** 31), 2 ** 31 - 1);
