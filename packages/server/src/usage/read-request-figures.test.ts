import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurnBound } from '../common/turns/turn-bound.ts';
import type { FigurePosition, RequestFigure } from '../storage/contract/usage.ts';
import { type FigureSources, readRequestFigures } from './read-request-figures.ts';

const now = Date.UTC(2026, 10, 25, 12);
const dayStartsAt = Date.UTC(2026, 10, 25);
const figures: readonly RequestFigure[] = Array.from({ length: 2_500 }, (_, n) => {
  return { accountId: 'acc_1', dayStartsAt, slug: 'p', caller: `sa_${String(n).padStart(4, '0')}`, code: '', requests: 1 };
});
const after = ({ dayStartsAt, caller }: FigurePosition) =>
  figures.filter((each) => each.dayStartsAt > dayStartsAt || each.caller > caller);

test('few portions are read in one turn of the event loop, however many requests read figures', async () => {
  let portions = 0;
  const bound = createTurnBound(2);
  const sources: FigureSources = {
    store: {
      listRequestFigures(_, position, figuresMax) {
        portions += 1;
        return after(position).slice(0, figuresMax);
      },
      nameCallers: () => new Map(),
    },
    figures: { settle: async () => undefined },
    openStreams: { ofAccount: () => [] },
    turn: () => new Promise<void>(bound),
    now: () => now,
  };
  const question = { days: 1, projectSlug: undefined, caller: undefined };
  const reads = Promise.all(Array.from({ length: 10 }, () => readRequestFigures(sources, 'acc_1', question)));
  const inTurns: number[] = [];
  for (let before = 0; portions < 30; before = portions) {
    await nextTurn();
    inTurns.push(portions - before);
  }
  expect(Math.max(...inTurns)).toBe(2);
  for (const read of await reads) expect([read.requests, read.callers.length]).toEqual([2_500, 201]);
});
