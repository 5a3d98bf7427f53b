/** The TypeScript client passes the conformance test for clients in any language. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runConformance } from '../../packages/client/conformance/run.ts';

const driver = join(import.meta.dirname, '../../packages/client/conformance/driver.mjs');

test('this client passes every case', async () => {
  const outcomes = await runConformance([process.execPath, driver]);
  expect(outcomes.length).toBeGreaterThan(30);
  expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([]);
});
