/** Foreign servers that respond instead of the service: intermediaries, or other services. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@holdfast/client';
import { onTestFinished } from 'vitest';

/** Starts a foreign server, which stops with the test. */
export async function startHostile(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Response of such a server. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Starts a server with one response to all requests. */
export function startAnswering(answer: () => Answer): Promise<string> {
  return startHostile((request, response) => {
    request.resume();
    const { status, headers, body } = answer();
    response.writeHead(status, headers).end(body);
  });
}

/** The project of the test clients, with a short timeout. */
export const project = { accountId: 'acc_1', project: 'p', environment: 'production', timeoutMs: 40 } as const;
/** A client with an API key. */
export const clientOf = (baseUrl: string, more = {}) =>
  createClient<{ publicState: Record<string, unknown>; userState: Record<string, unknown> }>({
    ...project,
    baseUrl,
    auth: { apiKey: 'svck_x' },
    ...more,
  });
