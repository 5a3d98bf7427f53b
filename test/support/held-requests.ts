/**
 * Requests that a test pauses in progress: halfway through the body, after `100 Continue`, or at the first store read that they wait for.
 * The store recognises a request's calls by its trace, so background work is never mistaken for it.
 */
import { randomBytes } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import type { Operation, OperationId } from '@holdfast/contract';
import { undeclared } from '@holdfast/contract/conformance';
import { awaitsPermit } from '../../packages/server/src/access/permit.ts';
import { Refusal } from '../../packages/server/src/common/requests/refusal.ts';
import { currentTrace } from '../../packages/server/src/observe/trace-context.ts';
import { requestWrites } from '../../packages/server/src/storage/sql/verbs.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';

type Headers = Readonly<Record<string, string>>;

/** The service's own records of uses and counts, written whatever the outcome of the request. */
const notes: ReadonlySet<string | symbol> = new Set<keyof Store>([
  'recordApiKeyUse',
  'recordServiceAccountUse',
  'recordDevelopersSeen',
  'enrolDevelopers',
  'addApiRequests',
  'addRequestFigures',
]);
const writes = new Set<string | symbol>(
  [...requestWrites.writes, ...requestWrites.preparations].filter((name) => !notes.has(name)),
);
/** Checks the permit and leaves it to the following write. */
const preparations: ReadonlySet<string | symbol> = new Set(requestWrites.preparations);

/** An operation as sent. */
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
 * Where a request is paused. `body`: after half of its body. `read`: at the first store reads that it waits for; it gets their results when
 * it resumes, and a request that writes before any read is refused without an effect. `nowhere`: it is not paused.
 */
export type HoldPoint = 'body' | 'read' | 'nowhere';

/** Pending requests by trace. */
const underWay = new Map<string, HeldRequest>();

/** Returns a store that pauses such requests. */
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

/** A pending request. */
export class HeldRequest {
  readonly sent: Sent;
  readonly way: HoldPoint;
  /** Resolves when the request is paused, or answered without a pause. */
  readonly isThere: Promise<unknown>;
  readonly answer: Promise<Answered>;
  /** Its writes to the store, and those of them that skipped the permit check. */
  readonly written: string[] = [];
  readonly unasked: string[] = [];
  isAnswered = false;
  /** Whether its handler wrote without waiting for a read first, so that it could not be paused. */
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

  /** Sends the rest of the body, and lets the request continue. */
  finish(): Promise<Answered> {
    this.#holds = false;
    for (const go of this.#results.splice(0)) go();
    if (!this.#request.writableEnded) this.#request.end(this.#rest);
    return this.answer;
  }

  /** Runs one of the request's store calls. */
  pass(name: string, run: () => unknown): unknown {
    if (writes.has(name)) {
      if (!preparations.has(name) && awaitsPermit()) this.unasked.push(name);
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
      // The service asks for the body once it has admitted the request.
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

/** Lets all requests continue. */
export async function finishAll(): Promise<void> {
  await Promise.allSettled([...underWay.values()].map((request) => request.finish()));
}
