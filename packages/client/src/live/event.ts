import type { JsonObject } from '@holdfast/json';
import { HoldfastError } from '../errors.ts';
import { parseExact } from '../exact.ts';
import type { Operation } from './apply.ts';

/** The content of an event about a document. */
export interface EventData {
  /** Null if there is no document. */
  readonly version: number | null;
  readonly state?: JsonObject | null;
  readonly from?: number;
  readonly ops?: readonly Operation[];
  readonly refetch?: boolean;
}

/** The events about a document. Unknown ones, of a newer service, are ignored. */
export const eventTypes: readonly string[] = ['snapshot', 'reset', 'change'];

/** Parses the data of an event. Throws for data that the service would not send. */
export function eventIn(text: string): EventData {
  const data = parseExact(text) as unknown as EventData | null;
  const { version, state = null, ops = [] } = data ?? {};
  const isEvent =
    (version === null || (Number.isSafeInteger(version) && (version as number) >= 0)) &&
    typeof state === 'object' &&
    !Array.isArray(state) &&
    Array.isArray(ops);
  if (!isEvent) throw new HoldfastError('unexpected_response', 'the event does not describe a document');
  return data as EventData;
}
