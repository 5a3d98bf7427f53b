/** A thread that reads one document repeatedly, and records the longest wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createApi } from '../../tooling/api.ts';

export interface ProbeOrder {
  readonly port: number;
  readonly path: string;
  readonly apiKey: string;
}

export interface ProbeReport {
  readonly longestMilliseconds: number;
  readonly reads: number;
}

const { port, path, apiKey } = workerData as ProbeOrder;
const api = createApi(`http://127.0.0.1:${port}`, `ApiKey ${apiKey}`);
const restMilliseconds = 2;
let isEnding = false;
parentPort?.on('message', () => {
  isEnding = true;
});

let reads = 0;
let longestMilliseconds = 0;
for (; !isEnding; reads++) {
  const begun = performance.now();
  await api.send('GET', path);
  const milliseconds = performance.now() - begun;
  if (reads > 50) longestMilliseconds = Math.max(longestMilliseconds, milliseconds); // loading is finished by then
  await sleep(restMilliseconds);
}
parentPort?.postMessage({ longestMilliseconds, reads } satisfies ProbeReport);
api.close();
