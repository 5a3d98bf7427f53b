/**
 * Requests that are held while they are under way: in their body, of which the service has asked for the rest, or in the first read of the
 * store that they wait for. The store knows whose call it is by the trace of the request, so nothing of the background is taken for it.
 */
import { randomBytes } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import type { Operation, OperationId } from '@holdfast/contract';
import { undeclared } from '@holdfast/contract/conformance';
import { awaitsPermit } from '../../packages/server/src/access/permit.ts';
import { Refusal } from '../../packages/server/src/common/refusal.ts';
import { currentTrace } from '../../packages/server/src/observe/trace-context.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { requestWrites } from '../../packages/server/src/wiring/permits.ts';

type Headers = Readonly<Record<string, string>>;

/** Notes of uses and counts are of the service, and written whatever becomes of the request. */
const notes: ReadonlySet<string | symbol> = new Set<keyof Store>([
  'recordApiKeyUse',
  'recordServiceAccountUse',
  'recordDevelopersSeen',
  'enrolDevelopers',
  'addApiRequests',
  'addRequestFigures',
]);
const writes = new Set<string | symbol>(requestWrites.filter((name) => !notes.has(name)));
/** It asks for the permit and leaves it to the write that follows. */
const preparation: keyof Store = 'spendTicket';

/** An operation as it is sent. */
export interface Sent {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

export interface Answered {
  readonly status: number;
  readonly code: string | undefined;
}

/**
 * Where a request is held. `body`: after half of its body. `read`: at the first reads of the store that it waits for, whose results it gets
 * when it goes on; a request that writes before that is refused, and has changed nothing. `nowhere`: it is carried out.
 */
export type HoldPoint = 'body' | 'read' | 'nowhere';

/** The requests that are not answered yet, by their traces. */
const underWay = new Map<string, HeldRequest>();

/** Returns the store that holds such requests. */
export function holding(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return (...values: unknown[]) => {
        const request = underWay.get(currentTrace()?.traceId ?? '');
        const run = (): unknown => method.apply(target, values);
        return request === undefined ? run() : request.pass(String(name), run);
      };
    },
  });
}

/** A request that is under way. */
export class HeldRequest {
  readonly sent: Sent;
  readonly way: HoldPoint;
  /** Resolves when it is held, or answered before. */
  readonly isThere: Promise<unknown>;
  readonly answer: Promise<Answered>;
  /** What it has given to the store to write, and what of that without asking for its permit. */
  readonly written: string[] = [];
  readonly unasked: string[] = [];
  isAnswered = false;
  /** Whether its handler has come to a write with nothing to wait for before: then there was no moment in which to hold it. */
  writesAtOnce = false;
  readonly #traceId = randomBytes(16).toString('hex');
  readonly #request: ClientRequest;
  readonly #results: (() => void)[] = [];
  #holds: boolean;
  #arrive: () => void = () => undefined;

  constructor(baseUrl: string, sent: Sent, way: HoldPoint) {
    this.sent = sent;
    this.way = way;
    this.#holds = way === 'read';
    underWay.set(this.#traceId, this);
    const arrived = new Promise<void>((resolve) => {
      this.#arrive = resolve;
    });
    this.#request = this.#begin(baseUrl);
    this.answer = this.#answerOf(this.#request).finally(() => {
      this.isAnswered = true;
      underWay.delete(this.#traceId);
    });
    this.answer.catch(() => undefined);
    this.isThere = Promise.race([arrived, this.answer.catch(() => undefined)]);
  }

  /** Sends what is left, and lets it go on. */
  finish(): Promise<Answered> {
    this.#holds = false;
    for (const go of this.#results.splice(0)) go();
    if (!this.#request.writableEnded) this.#request.end(this.#rest);
    return this.answer;
  }

  /** Runs a call of the store that it makes. */
  pass(name: string, run: () => unknown): unknown {
    if (writes.has(name)) {
      if (name !== preparation && awaitsPermit()) this.unasked.push(name);
      if (this.#holds) return this.#refuse();
      this.written.push(name);
      return run();
    }
    const result = run();
    if (!this.#holds) return result;
    this.#arrive();
    return new Promise((resolve) => this.#results.push(() => resolve(result)));
  }

  #refuse(): Promise<never> {
    this.writesAtOnce = true;
    this.#arrive();
    return Promise.reject(new Refusal('service_unavailable', 'the test lets nothing be written yet'));
  }

  get #half(): number {
    return (this.sent.body?.length ?? 0) >> 1;
  }

  get #rest(): string | undefined {
    return this.way === 'body' ? this.sent.body?.slice(this.#half) : undefined;
  }

  #begin(baseUrl: string): ClientRequest {
    const { operation, path, body } = this.sent;
    const { hostname, port } = new URL(baseUrl);
    const traceparent = `00-${this.#traceId}-${randomBytes(8).toString('hex')}-01`;
    const isSlow = this.way === 'body';
    const headers = { ...this.sent.headers, traceparent, ...(isSlow && { Expect: '100-continue' }) };
    const request = httpRequest({ host: hostname, port, method: operation.method, path, headers, agent: false });
    if (isSlow) {
      // The service asks for the body once it has let the request in.
      request.on('continue', () => request.write(body?.slice(0, this.#half), this.#arrive));
      request.flushHeaders();
    } else request.end(body);
    return request;
  }

  #answerOf(request: ClientRequest): Promise<Answered> {
    const { id } = this.sent;
    return new Promise((resolve, reject) => {
      request.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const status = response.statusCode ?? 0;
            const fault = undeclared(id, status, response.headers, text);
            if (fault !== undefined) reject(new Error(`${id} answered what it does not declare: ${fault}`));
            else resolve({ status, code: /"error":"(\w+)"/.exec(text)?.[1] });
          });
      });
    });
  }
}

/** Lets all requests go on. */
export async function finishAll(): Promise<void> {
  await Promise.allSettled([...underWay.values()].map((request) => request.finish()));
}
