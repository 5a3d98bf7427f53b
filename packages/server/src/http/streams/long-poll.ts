/**
 * Long polls: a response that waits for the first events and ends with them.
 *
 * @see docs/contract.md §4.9
 */

import { pollSecondsDefault, pollSecondsMax } from '@holdfast/contract';
import { Refusal } from '../../common/requests/refusal.ts';
import { quoted } from '../../common/text/quoted.ts';
import type { ChangeEvent } from '../../state/changes/events.ts';
import type { Sink } from '../../state/changes/fan-out.ts';
import { ClientGone } from '../bodies/body.ts';
import { streamingHeaders } from '../replies/caching.ts';
import { type AsText, emptyReply, type Reply, wireText } from '../replies/reply.ts';
import { eventObject, type Goodbye, goodbyeObject } from './event-frames.ts';
import type { Opened } from './streams.ts';

/** Returns the seconds in the parameter `wait`. Throws `validation_error` unless it is an allowed number. */
export function readWait(text: string | undefined): number {
  if (text === undefined) return pollSecondsDefault;
  const seconds = /^[0-9]{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= pollSecondsMax) return seconds;
  throw new Refusal(
    'validation_error',
    `query parameter wait: ${quoted(text)} must be a whole number of seconds from 0 to ${pollSecondsMax}`,
  );
}

/** The most events in one response. The next response has the rest. */
const eventsMax = 50;
const charactersMax = 262_144;
/** How long to wait for unfinished events after the first one. */
const gatheringMilliseconds = 1_000;

class LongPoll implements Sink {
  readonly #events: string[] = [];
  readonly #done = Promise.withResolvers<void>();
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Whether more events are being made. */
  isBehind: () => boolean = () => false;

  /** `waitMilliseconds` is how long to wait for the first event. */
  constructor(waitMilliseconds: number) {
    this.#timer = setTimeout(() => this.finish(), waitMilliseconds);
  }

  take(event: ChangeEvent): boolean {
    const text = eventObject(event);
    this.#events.push(text);
    this.#characters += text.length;
    if (this.#events.length === 1) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.finish(), gatheringMilliseconds);
    }
    queueMicrotask(() => this.check());
    return !this.#isFull();
  }

  /** Ends the wait if there is an event and no further event is being made. */
  check(): void {
    if (this.#events.length > 0 && (this.#isFull() || !this.isBehind())) this.finish();
  }

  end(goodbye: Goodbye): void {
    this.#events.push(goodbyeObject(goodbye));
    this.finish();
  }

  finish(): void {
    clearTimeout(this.#timer);
    this.#done.resolve();
  }

  /** Resolves with the collected events, each as JSON text. */
  async events(): Promise<readonly string[]> {
    await this.#done.promise;
    return this.#events;
  }

  #isFull(): boolean {
    return this.#events.length >= eventsMax || this.#characters >= charactersMax;
  }
}

/** How long to wait for events that are already due, even if the client does not wait for later ones. */
const behindMilliseconds = 5_000;

/** Returns a long poll's reply, which waits up to the given time for the first event. Rejects with `ClientGone`. */
export async function pollReply<Key>(
  { stream, document, since, caller, release }: Opened<Key>,
  waitMilliseconds: number,
): Promise<Reply<200, AsText> | Reply<204, undefined>> {
  const waits = new LongPoll(document.isBehind(since) ? Math.max(waitMilliseconds, behindMilliseconds) : waitMilliseconds);
  let isGone = false;
  caller.onGone(() => {
    isGone = true;
    waits.finish();
  });
  const reader = document.open(since, waits);
  waits.isBehind = () => document.isBehind(reader.position);
  waits.check();
  stream.onEnd = (goodbye) => waits.end(goodbye);
  if (stream.goodbye !== undefined) waits.end(stream.goodbye);
  const events = await waits.events();
  document.close(reader);
  release();
  if (isGone) throw new ClientGone('the client of a long poll left');
  const reply = replyOf(events);
  stream.count(
    events.length,
    events.reduce((sum, event) => sum + event.length, 0),
  );
  stream.close();
  return reply;
}

function replyOf(events: readonly string[]): Reply<200, AsText> | Reply<204, undefined> {
  if (events.length === 0) return emptyReply(204, streamingHeaders);
  const body = wireText(`{"events":[${events.join(',')}]}`);
  const headers = [...streamingHeaders, 'Content-Type', 'application/json', 'Content-Length', String(body.length)];
  return { status: 200, headers, body };
}
