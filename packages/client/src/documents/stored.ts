/** Records as the service sends them, with exact numbers. */
import type { JsonObject, JsonValue } from '@holdfast/json';
import { HoldfastError, type Received } from '../errors.ts';
import { isObject, parseExact } from '../exact.ts';

/** A record with its stored document; numbers are exact. */
export interface Stored {
  readonly version: number;
  readonly state: JsonObject;
  readonly [name: string]: JsonValue;
}

/** Parses the record in a response. Throws `unexpected_response` if there is none. */
export function recordOf(received: Received): Stored {
  return recordIn(readExact(received), received.status);
}

/** Parses the records in a response. Throws `unexpected_response` if there are none. */
export function recordsOf(received: Received): readonly Stored[] {
  const values = readExact(received);
  if (!Array.isArray(values)) throw unexpected('the response is no list of records', received.status);
  return values.map((value) => recordIn(value, received.status));
}

function readExact({ text, status }: Received): JsonValue {
  try {
    return parseExact(text);
  } catch (cause) {
    throw unexpected('the response is not JSON', status, cause);
  }
}

function recordIn(value: JsonValue, status: number): Stored {
  if (isRecord(value)) return value;
  throw unexpected('the response is no record of a document', status);
}

const isRecord = (value: JsonValue): value is JsonValue & Stored =>
  isObject(value) && Number.isSafeInteger(value.version) && isObject(value.state);

/** The error of a refused request. */
export const unexpected = (message: string, status: number, cause?: unknown): HoldfastError =>
  new HoldfastError('unexpected_response', message, { status, cause });
