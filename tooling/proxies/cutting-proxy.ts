/** A proxy that loses responses: the service has processed the request, but the client never gets the result. */

import { once } from 'node:events';
import { createServer, request as sendOn } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counts } from '../statistics.ts';

export interface CuttingProxy {
  readonly baseUrl: string;
  /** Number of lost responses. */
  readonly cuts: number;
  /** Number of requests by method and status, including those with a lost response. */
  readonly seen: ReadonlyMap<string, number>;
  stop(): void;
}

/** Starts a proxy in front of a server. `isCut` decides for each response to a write whether it is lost. */
export async function startCuttingProxy(
  target: string,
  isCut: (method: string) => boolean | Promise<boolean>,
): Promise<CuttingProxy> {
  const seen = new Counts();
  let cuts = 0;
  const proxy = createServer((request, response) => {
    const { method = '', headers, url = '' } = request;
    const onward = sendOn(new URL(url, target), { method, headers, agent: false }, (answer) => {
      seen.add(`${method} ${answer.statusCode}`);
      const pieces: Buffer[] = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', async () => {
        if (await isCut(method)) {
          cuts++;
          request.socket.destroy();
          return;
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(pieces));
      });
    });
    onward.on('error', () => request.socket.destroy());
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    get seen() {
      return new Map(seen);
    },
    stop() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
