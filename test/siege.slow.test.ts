import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startWatch } from '../torture/siege/watch.ts';

const frozenMilliseconds = 400;
/** A server that accepts every write, and on request blocks its event loop for that much processor time. */
const freezing = `
  const server = require('node:http').createServer((request, response) => {
    if (request.url === '/freeze') {
      const begun = process.cpuUsage().user;
      while (process.cpuUsage().user - begun < ${frozenMilliseconds * 1_000});
    }
    response.setHeader('Content-Length', 2);
    response.end('{}');
  });
  server.keepAliveTimeout = 60_000; // a watch that has no processor for seconds finds its connection as it left it
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

test('the watch sees a frozen server, and that it accepts writes', async () => {
  const server = spawn(process.execPath, ['-e', freezing], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const port = Number(String(line));
  const other = {
    baseUrl: `http://127.0.0.1:${port}`,
    hostname: '127.0.0.1',
    port,
    host: `127.0.0.1:${port}`,
    accountId: 'acc_1',
    slug: 'project',
    apiKey: 'key',
    developerToken: 'token',
  };
  const watch = await startWatch({ pid: server.pid as number, other, apiKeys: ['key'] });
  try {
    await watch.begin();
    await fetch(`${other.baseUrl}/freeze`);
    const seen = await watch.end();
    expect(seen.waits[0]?.milliseconds).toBeGreaterThan(frozenMilliseconds / 2);
    expect(seen.failedProbes).toBe(0);
    expect(seen.writes).toBeGreaterThan(0);
    expect(seen.residentBytesPeak).toBeGreaterThan(10 * 2 ** 20);
  } finally {
    watch.close();
    server.kill();
  }
});
