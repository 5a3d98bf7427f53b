/** Identity providers whose responses the test chooses: a request to any address is sent over real HTTP to one server on loopback. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answeringWith } from '../../../../tooling/answering.ts';
import type { Fetch } from '../outbound/fetch.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text. Undefined: no response. */
  readonly body: unknown;
}

export interface ScriptedUpstream {
  /** Sends requests for any address to this server. */
  readonly fetch: Fetch;
  /** By address, without a query. Unlisted ones get 404. */
  readonly answers: Map<string, (asked: Asked) => Answered | Promise<Answered>>;
  /** The received requests, in order. */
  readonly asked: Asked[];
  stop(): Promise<void>;
}

/** Starts the server. */
export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const answers: ScriptedUpstream['answers'] = new Map();
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = String(request.headers['x-asked']);
    const one = {
      method: request.method ?? '',
      url,
      headers: request.headers,
      form: new URLSearchParams(await text(request)),
    };
    asked.push(one);
    const {
      status = 200,
      headers,
      body,
    } = (await answers.get(url.split('?')[0] ?? '')?.(one)) ?? { status: 404, body: '' };
    if (body === undefined) return;
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'Content-Type': type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer(answeringWith(answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    answers,
    asked,
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set('X-Asked', url);
      return fetch(address, { ...init, headers });
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
