/** A receiver of webhooks on loopback, which replies as told, and verifies what it gets. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { answeringWith } from '../../tooling/answering.ts';
import type { Developer, TestServer } from '../support/server.ts';

/** A request that arrived. */
export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

type Respond = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Replies to later requests. */
  respond: Respond;
  /** Tries under way, now and at most. */
  readonly load: { now: number; max: number };
  /** Waits for the first request that meets a condition. */
  next(condition?: (received: Received) => boolean): Promise<Received>;
  close(): Promise<void>;
}

export const replyWith =
  (status: number): Respond =>
  (response) =>
    void response.writeHead(status).end();

/** Starts a receiver that replies 204. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const load = { now: 0, max: 0 };
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    load.now += 1;
    load.max = Math.max(load.max, load.now);
    response.on('close', () => {
      load.now -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    const found = { id: headers['webhook-id'] as string, headers, body, event: JSON.parse(body) };
    received.push(found);
    receiver.respond(response, found, request);
  };
  const server = createServer(answeringWith(receive));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    load,
    respond: replyWith(204),
    async next(condition = () => true) {
      await expect.poll(() => received.some(condition)).toBe(true);
      return received.find(condition) as Received;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Whether the official verifier accepts a request with this secret. */
export function isVerified(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

type Caller = Pick<TestServer, 'call'>;

interface Place {
  readonly path: string;
  readonly developer: Pick<Developer, 'bearer'>;
}

/** A webhook as its creation shows it. */
export interface Made {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
}

/** Creates a webhook of a project. */
export async function newWebhook(server: Caller, project: Place, body: object): Promise<Made> {
  const { bearer: headers } = project.developer;
  const answer = await server.call('POST', `${project.path}/webhooks`, { headers, body });
  expect(answer.status, answer.text).toBe(201);
  const { id, secret } = answer.json as { id: string; secret: string };
  return { id, secret, path: `${project.path}/webhooks/${id}` };
}

/** The deliveries of a webhook, newest first. */
export async function deliveriesOf(server: Caller, project: Pick<Place, 'developer'>, { path }: Made, query = '') {
  const { bearer: headers } = project.developer;
  const { json } = await server.call('GET', `${path}/deliveries${query}`, { headers });
  return (json as { items: { id: string; type: string; status: string; attempts: number; responseStatus: number }[] })
    .items;
}
