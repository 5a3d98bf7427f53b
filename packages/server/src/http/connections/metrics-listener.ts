/** The metrics port, separate from the others because only the operator may see metrics. */
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../../observe/metrics.ts';

const { createServer } = process.getBuiltinModule('node:http');

export interface MetricsListener {
  readonly url: string;
  stop(): Promise<void>;
}

/** Answers `GET /metrics` on `host` and `port`; for port 0, on a free port. Rejects if the address is not available. */
export async function listenForMetrics(
  host: string,
  port: number,
  metrics: Pick<Metrics, 'page'>,
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path !== '/metrics') answer(response, 404, 'the metrics are at /metrics\n');
    else if (!isRead) answer(response.setHeader('Allow', 'GET, HEAD'), 405, 'the metrics can only be read\n');
    else
      metrics.page().then(
        ({ text, mediaType }) => answer(response, 200, text, mediaType),
        () => answer(response, 500, 'the metrics could not be collected\n'),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, family, port: given } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${given}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, status: number, text: string, mediaType = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'Content-Type': mediaType, 'Content-Length': Buffer.byteLength(text) }).end(text);
}
