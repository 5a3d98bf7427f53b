/**
 * Events on the wire, as server-sent events and as objects of a long poll.
 *
 * @see docs/contract.md §4.9, https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import type { ChangeEvent, Whole } from '../../state/changes/events.ts';
import { sliceAt } from '../replies/unread-responses.ts';

export type GoodbyeReason = 'expired' | 'revoked' | 'shutdown' | 'max_age';

/** Why a stream ends, and when its client should reconnect. */
export interface Goodbye {
  readonly reason: GoodbyeReason;
  readonly retryAfterMs: number;
}

/** A frame of a stream, inside the lengths that chunked coding requires. */
export interface Frame {
  readonly plain: Buffer;
  readonly chunk: Buffer;
}

/** Returns the frame of an event's text. */
function frameOf(text: string): Frame {
  const bytes = Buffer.byteLength(text);
  const head = `${bytes.toString(16)}\r\n`;
  const chunk = Buffer.from(`${head}${text}\r\n`);
  return { chunk, plain: chunk.subarray(head.length, head.length + bytes) };
}

/** Sent if nothing has happened for a while. */
export const heartbeat = frameOf(':\n\n');

/** The line before the first event, in the same block: some clients take a separate block for an event without data. */
export const retryFrame = (milliseconds: number): Frame => frameOf(`retry: ${milliseconds}\n`);

/** States over this many characters are sent in slices, and not joined to other text. */
const joinedCharactersMax = 16_384;

const frames = new WeakMap<ChangeEvent, Frame>();

/** An event's frame, made once for all streams; undefined for a document that is sent in slices. */
export function eventFrame(event: ChangeEvent): Frame | undefined {
  if (event.type !== 'change' && (event.stateText?.length ?? 0) > joinedCharactersMax) return undefined;
  const known = frames.get(event);
  if (known !== undefined) return known;
  const frame = frameOf(`${eventHead(event)}${dataOf(event)}\n\n`);
  frames.set(event, frame);
  return frame;
}

/** Document slices by their start. Their bytes are made once for all streams that are sending them. */
const slices = new WeakMap<Whole, Map<number, { readonly kept: WeakRef<Buffer>; readonly characters: number }>>();

/** A document slice as bytes: a string would keep the whole document in memory. */
export interface Slice {
  readonly bytes: Buffer;
  readonly characters: number;
}

/** The document slice that begins at `offset`. */
export function documentSlice(event: Whole, stateText: string, offset: number): Slice {
  let known = slices.get(event);
  if (known === undefined) {
    known = new Map();
    slices.set(event, known);
  }
  const slice = known.get(offset);
  const kept = slice?.kept.deref();
  if (slice !== undefined && kept !== undefined) return { bytes: kept, characters: slice.characters };
  const text = sliceAt(stateText, offset);
  const bytes = Buffer.from(text);
  known.set(offset, { kept: new WeakRef(bytes), characters: text.length });
  return { bytes, characters: text.length };
}

/** The lines before an event's data. */
export const eventHead = ({ type, version }: ChangeEvent): string => `event: ${type}\nid: ${version}\ndata: `;

export const goodbyeFrame = (goodbye: Goodbye): Frame => frameOf(`event: goodbye\ndata: ${JSON.stringify(goodbye)}\n\n`);

export const wholeHead = ({ version }: Whole): string => `{"version":${version === 0 ? null : version},"state":`;

/** The JSON text of an event's data. */
function dataOf(event: ChangeEvent): string {
  return event.type === 'change' ? event.data : `${wholeHead(event)}${event.stateText}}`;
}

/** An event as an object of a long poll. */
export const eventObject = (event: ChangeEvent): string => `{"type":"${event.type}",${dataOf(event).slice(1)}`;

export const goodbyeObject = (goodbye: Goodbye): string => JSON.stringify({ type: 'goodbye', ...goodbye });
