/** What a handler is given: a request that has passed every check that comes before its operation. */
import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '@holdfast/contract';
import type { Principal } from '../access/principal.ts';
import type { Precondition } from '../state/precondition.ts';
import type { Awaitable } from '../storage/store.ts';
import type { PathParameters } from './path-parameters.ts';
import type { Reply } from './reply.ts';

export interface Exchange {
  readonly params: PathParameters;
  /** Absent on anonymous routes. */
  readonly principal: Principal | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The name under which the client's address is counted, of operations that answer with a page. */
  readonly clientName: string | undefined;
  /** What follows the `?`, or the empty string. */
  readonly query: string;
  /** The parsed JSON body, of operations that read a record. */
  readonly body: unknown;
  /** The body as it came, of operations that write a state: it may be large, and is looked at where that disturbs nobody. */
  readonly bodyBytes: Uint8Array | undefined;
  /** Of operations that demand one. */
  readonly precondition: Precondition | undefined;
  /**
   * Reads the body of an operation that takes a form. Rejects with `unsupported_media_type`, `payload_too_large`,
   * `request_timeout` or `validation_error`.
   */
  readonly readForm: () => Promise<URLSearchParams>;
}

export type Handler = (exchange: Exchange) => Awaitable<Reply>;
export type Handlers = Readonly<Partial<Record<OperationId, Handler>>>;
