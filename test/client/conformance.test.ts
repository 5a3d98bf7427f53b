/** The conformance test for clients in any language: the TypeScript client passes, and a client with errors fails. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runConformance } from '../../packages/client/conformance/run.ts';

const driver = join(import.meta.dirname, '../../packages/client/conformance/driver.mjs');

test('this client passes the cases of writes', async () => {
  const outcomes = await runConformance([process.execPath, driver], 'a write');
  expect(outcomes.length).toBeGreaterThan(4);
  expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([]);
});

const careless = `
  let base;
  require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, call, baseUrl = base } = JSON.parse(line);
    base = baseUrl;
    let result = null;
    if (call === 'patch') {
      const place = base + '/v1/acc_1/projects/game/public-state/production';
      const write = () => fetch(place, { method: 'PATCH', headers: { 'If-Match': '"4"', 'Idempotency-Key': String(Math.random()) }, body: '{}' });
      const response = await write().catch(write);
      result = await response.json();
    }
    console.log(JSON.stringify({ id, result }));
  });
`;

test('a client that repeats a write under another key fails', async () => {
  const outcomes = await runConformance([process.execPath, '-e', careless], 'without a response');
  expect(outcomes).toEqual([
    {
      name: 'a write without a response is sent again unchanged, with the same key',
      faults: [expect.stringContaining('Idempotency-Key has changed')],
    },
  ]);
});
