/**
 * The health check of the container: ends with 0 when the service answers on `/healthz`, with 1 and a line otherwise. It
 * asks on the loopback address, which SVC_HOST must include; only the port is looked up.
 */
import { get } from 'node:http';

const timeoutMilliseconds = 4_000;
const port = process.env.SVC_PORT?.trim() || '8787';

const fail = (reason) => {
  console.error(`the service does not answer on port ${port}: ${reason}`);
  process.exit(1);
};

get({ host: '127.0.0.1', port, path: '/healthz', agent: false, timeout: timeoutMilliseconds }, ({ statusCode }) => {
  if (statusCode === 200) process.exit(0);
  fail(`status ${statusCode}`);
})
  .on('timeout', () => fail(`nothing within ${timeoutMilliseconds} ms`))
  .on('error', ({ message }) => fail(message));
