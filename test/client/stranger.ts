/** Servers that answer instead of the service: what stands between, or what is something else. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@holdfast/client';
import { onTestFinished } from 'vitest';

/** A server that is not the service. It ends with the test. */
export async function startHostile(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What such a server answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server that answers every request alike. */
export function startAnswering(answer: () => Answer): Promise<string> {
  return startHostile((request, response) => {
    request.resume();
    const { status, headers, body } = answer();
    response.writeHead(status, headers).end(body);
  });
}

/** Where the clients of these tests belong; they wait for nothing for long. */
export const project = { accountId: 'acc_1', project: 'p', environment: 'production', timeoutMs: 40 } as const;
/** A client with an API key. */
export const clientOf = (baseUrl: string, more = {}) =>
  createClient<{ publicState: Record<string, unknown>; userState: Record<string, unknown> }>({
    ...project,
    baseUrl,
    auth: { apiKey: 'svck_x' },
    ...more,
  });
