/** A write whose client hangs up, while the service is stopping. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openPlace } from '../support/place.ts';
import { startServer } from '../support/server.ts';
import { openWorld, requestText, writeLines } from './world.ts';

/** Large enough to be evaluated by a thread, and slow enough to keep it busy for a while. */
const body = `{"state":{"a":[${Array(40_000).fill('1e400').join(',')}]}}`;

test('a large write is finished and stored before the service stops, and no fault is logged', async () => {
  const place = await openPlace();
  onTestFinished(() => place.remove());
  const faults: unknown[] = [];
  const logOutput = { write: (line: string) => void faults.push(JSON.parse(line)), close: async () => {} };
  const world = await openWorld({}, { place, logOutput });
  const connection = await world.connect();
  const threadStarts = once(process, 'worker');
  connection.send(requestText(`PUT ${world.statePath}`, writeLines(world.keyLine), body));
  await threadStarts; // the whole body has been read
  connection.close();
  await world.stop();
  expect(faults).toEqual([]);

  const next = await startServer({ place });
  onTestFinished(() => next.stop());
  const headers = { Authorization: world.keyLine.replace('Authorization: ', '') };
  const { status, json } = await next.call('GET', world.statePath, { headers });
  expect(status).toBe(200);
  expect(json).toMatchObject({ version: 1 });
});
