/** Requests `/healthz` every few milliseconds, on a persistent connection and on new ones. */

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from './case.ts';
import type { SeenHealth, Wait } from './watch.ts';
import { obey, order, stopwatch } from './watcher.ts';
import { answerOn } from './wire.ts';

const keptPauseMilliseconds = 3;
const newPauseMilliseconds = 25;
const keptWaits = 2_000;
/** Shorter waits are not reported. */
const noticedMilliseconds = 2;

const { other } = order;
const request = (connection: string) => `GET /healthz HTTP/1.1\r\nHost: ${other.host}\r\nConnection: ${connection}\r\n\r\n`;

await obey(async (isWatching): Promise<SeenHealth> => {
  const tally = { waits: [] as Wait[], probes: 0, failedProbes: 0, firstFailure: undefined as string | undefined };
  const probe = async (socket: Socket, connection: string) => {
    const at = clock();
    const elapsed = stopwatch();
    const failure = await answerTo(socket, request(connection));
    const milliseconds = elapsed();
    tally.probes++;
    if (failure !== undefined) {
      tally.failedProbes++;
      tally.firstFailure ??= failure;
    }
    if (milliseconds >= noticedMilliseconds) tally.waits.push({ at, milliseconds });
  };
  const onKept = async () => {
    let socket = open();
    while (isWatching()) {
      if (socket.destroyed) socket = open();
      await probe(socket, 'keep-alive');
      await sleep(keptPauseMilliseconds);
    }
    socket.destroy();
  };
  const onNew = async () => {
    while (isWatching()) {
      const socket = open();
      await probe(socket, 'close');
      socket.destroy();
      await sleep(newPauseMilliseconds);
    }
  };
  await Promise.all([onKept(), onNew()]);
  const longestFirst = tally.waits.sort((one, two) => two.milliseconds - one.milliseconds);
  return { ...tally, waits: longestFirst.slice(0, keptWaits) };
});

function open(): Socket {
  const socket = connect({ host: other.hostname, port: other.port, noDelay: true });
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Resolves with undefined if the response to `wire` is 200, otherwise with its description. */
async function answerTo(socket: Socket, wire: string): Promise<string | undefined> {
  const answering = answerOn(socket);
  socket.write(wire);
  const answer = await answering;
  if (typeof answer !== 'string') return answer.status === 200 ? undefined : `status ${answer.status}`;
  socket.destroy();
  return answer;
}
