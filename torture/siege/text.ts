/** The largest text of every kind in every text input, in sequence. */

import { expectStatus } from '../../tooling/api.ts';
import { Counts } from '../../tooling/statistics.ts';
import { allowSignIn } from './browser.ts';
import { clock, type SentInput, type SiegeCase, type Target } from './case.ts';
import { textKinds } from './hostile-text.ts';
import { type Input, inputsOf } from './inputs.ts';
import { nextAnswer, openConnection } from './wire.ts';

/** Per address, so that its limit is not reached. */
const requestsOfAddress = 60;
/** A small run tries one in this many, chosen by the seed. */
const triedOneIn = { common: 60, other: 6 };

export const textCases: readonly SiegeCase[] = [
  {
    name: 'the largest text of each kind in every field, header and path',
    isQuick: true,
    isApart: true,
    async prepare(target) {
      expectStatus(await allowSignIn(target), 200);
      const requests = chosen(await inputsOf(target), target);
      return async () => {
        const inputs: SentInput[] = [];
        const statuses = new Counts();
        let address = target.nextAddress();
        for (const [index, { name, bytes }] of requests.entries()) {
          if (index % requestsOfAddress === 0) address = target.nextAddress();
          const request = bytes();
          const from = clock();
          const status = await statusOf(target, address, request);
          inputs.push({ name, from, to: clock() });
          statuses.add(status);
        }
        const unanswered = statuses.get('no answer') ?? 0;
        const failed = [...statuses].filter(([status]) => /^5/.test(status) && status !== '503');
        return {
          sent: `${requests.length} requests`,
          note: String(statuses),
          inputs,
          faults: [
            ...(unanswered > 0 ? [`${unanswered} requests had no answer`] : []),
            ...failed.map(([status, count]) => `${count} requests were answered ${status}`),
          ],
        };
      };
    },
  },
];

function chosen(inputs: readonly Input[], { size, seed }: Target): { name: string; bytes(): Buffer }[] {
  const all = inputs.flatMap((input) => textKinds.map((kind) => ({ input, kind })));
  const tried = all.filter(
    ({ input }, index) => !size.isSmall || (index + seed) % (input.isCommon ? triedOneIn.common : triedOneIn.other) === 0,
  );
  return tried.map(({ input, kind }) => ({ name: `${input.name}: ${kind.name}`, bytes: () => input.request(kind) }));
}

async function statusOf(target: Target, address: string, bytes: Buffer): Promise<string> {
  const socket = await openConnection(target, address);
  const answering = nextAnswer(socket);
  socket.write(bytes);
  const answer = await answering;
  socket.destroy();
  return String(answer?.status ?? 'no answer');
}
