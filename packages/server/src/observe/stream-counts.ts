/** Counts of change streams, for the metrics. */

/** The kind of state, and how it is sent. */
export type StreamKind = 'public_stream' | 'public_poll' | 'user_stream' | 'user_poll';

/** Why a stream ended; `closed` by its client, or after the response of a long poll. */
export type StreamEnd = 'closed' | 'expired' | 'revoked' | 'shutdown' | 'max_age';

export class StreamCounts {
  readonly open: Record<StreamKind, number> = { public_stream: 0, public_poll: 0, user_stream: 0, user_poll: 0 };
  readonly ended: Record<StreamEnd, number> = { closed: 0, expired: 0, revoked: 0, shutdown: 0, max_age: 0 };
  events = 0;
  bytes = 0;

  opened(kind: StreamKind): void {
    this.open[kind]++;
  }

  closed(kind: StreamKind, end: StreamEnd): void {
    this.open[kind]--;
    this.ended[end]++;
  }

  sent(events: number, bytes: number): void {
    this.events += events;
    this.bytes += bytes;
  }
}
