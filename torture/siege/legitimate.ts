/** Heavy but legitimate use: bounds that refuse it are too narrow. */

import { setTimeout as sleep } from 'node:timers/promises';
import { publicStatePath, userStatePath } from '../../tooling/credentials.ts';
import type { SiegeCase } from './case.ts';
import { nextAnswer, openConnection, openConnections, statusCounts, wholeRequest } from './wire.ts';

const pipelinedRequests = 64;
const clients = 8;
/** The largest possible state, in its largest body: each character is an escape of six. */
const largestBody = `{"ops":[{"op":"add","path":"/text","value":"${'\\u20ac'.repeat(255_000)}"}]}`;

export const legitimateCases: readonly SiegeCase[] = [
  {
    name: 'legitimate: 64 requests on one connection before the first answer',
    isQuick: true,
    prepare(target) {
      const path = publicStatePath(target, 'production');
      const headers = { Authorization: `ApiKey ${target.apiKey}` };
      const bytes = Buffer.concat(Array(pipelinedRequests).fill(wholeRequest('GET', path, target.host, { headers })));
      return async () => {
        const socket = await openConnection(target, target.nextAddress());
        let received = '';
        socket.on('data', (piece: Buffer) => {
          received += piece.toString('latin1');
        });
        socket.write(bytes);
        const answered = () => received.split(/HTTP\/1\.1 20[04] /).length - 1;
        for (let waited = 0; waited < 5_000 && answered() < pipelinedRequests && !socket.destroyed; waited += 10)
          await sleep(10);
        socket.destroy();
        const count = answered();
        const faults = count === pipelinedRequests ? [] : [`${count} of ${pipelinedRequests} were answered`];
        return { sent: `${pipelinedRequests} GETs`, note: `${count} answered`, faults };
      };
    },
  },
  {
    name: 'legitimate: the largest bodies of several clients at once',
    isQuick: true,
    async prepare(target) {
      const path = userStatePath(target, 'staging');
      const requests = await Promise.all(
        Array.from({ length: clients }, async () => {
          const token = await target.operator.playerToken(target, `large-${target.nextAddress()}`, 'staging');
          const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'If-None-Match': '*' };
          return wholeRequest('PATCH', path, target.host, { headers, body: largestBody });
        }),
      );
      return async () => {
        const held = await openConnections(target, clients, { addressOf: target.nextAddress });
        const answering = Promise.all(held.sockets.map((socket) => nextAnswer(socket)));
        for (const [index, socket] of held.sockets.entries()) socket.write(requests[index] as Buffer);
        const answers = await answering;
        held.close();
        const refused = answers.filter((answer) => answer?.status !== 200).length;
        return {
          sent: `${clients} bodies of ${largestBody.length} bytes`,
          note: statusCounts(answers),
          faults: refused > 0 ? [`${refused} of ${clients} largest bodies were not accepted`] : [],
        };
      };
    },
  },
];
