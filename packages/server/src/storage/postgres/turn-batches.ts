/**
 * Sends items of the same event loop turn to the database together, or items of several turns while enough batches are under way. Nothing is
 * sent before the last item has arrived, so reads see every write acknowledged before them.
 */
import type { Awaitable } from '../../common/async/awaitable.ts';
import { StoreFault } from '../store.ts';

export interface TurnBatchesOptions<Item, Outcome> {
  /** Only items of the same group are sent together. */
  readonly groupOf: (item: Item) => string;
  /** Items with the same name are carried out once and share the outcome; if omitted, each item is separate. */
  readonly nameOf?: (item: Item) => string;
  /** How much of a batch an item takes. */
  readonly sizeOf: (item: Item) => number;
  /** The maximum size of a batch, unless it is a single item. */
  readonly sizeMax: number;
  /** While so many batches are under way, items wait, and then share a batch. Default: any number. */
  readonly underWayMax?: number;
  /** Returns an outcome for each item, in order. */
  readonly carryOut: (items: readonly Item[]) => Promise<readonly Awaitable<Outcome>[]>;
}

interface Waiting<Item, Outcome> extends PromiseWithResolvers<Outcome> {
  readonly item: Item;
}

/** Returns a function that carries out an item together with the other items of the turn. */
export function createTurnBatches<Item, Outcome>(
  options: TurnBatchesOptions<Item, Outcome>,
): (item: Item) => Promise<Outcome> {
  const { groupOf, nameOf, carryOut, underWayMax = Number.POSITIVE_INFINITY } = options;
  let underWay = 0;
  let turn: Waiting<Item, Outcome>[] | undefined;
  let named = new Map<string, Promise<Outcome>>();

  return (item) => {
    if (turn === undefined) {
      turn = [];
      setImmediate(endTurn);
    }
    const name = nameOf?.(item);
    const same = name === undefined ? undefined : named.get(name);
    if (same !== undefined) return same;
    const waiting = { item, ...Promise.withResolvers<Outcome>() };
    turn.push(waiting);
    if (name !== undefined) named.set(name, waiting.promise);
    return waiting.promise;
  };

  function endTurn(): void {
    if (underWay >= underWayMax) return; // until a batch ends
    const all = turn ?? [];
    turn = undefined;
    named = new Map();
    const groups = all.length === 1 ? [all] : Map.groupBy(all, ({ item }) => groupOf(item)).values();
    for (const group of groups) for (const batch of cut(group, options)) send(batch);
  }

  function end(): void {
    underWay -= 1;
    if (turn !== undefined) setImmediate(endTurn);
  }

  function send(batch: readonly Waiting<Item, Outcome>[]): void {
    underWay += 1;
    const outcomes = carryOut(batch.map(({ item }) => item));
    outcomes.then(end, end);
    outcomes.then(
      (outcomes) => {
        for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Awaitable<Outcome>);
      },
      (error: unknown) => {
        // One item is at fault, and nothing was carried out. The remaining items succeed individually.
        if (error instanceof StoreFault && batch.length > 1) for (const one of batch) send([one]);
        else for (const { reject } of batch) reject(error);
      },
    );
  }
}

/** Cuts a group into batches of a bounded size. */
function cut<Item, Outcome>(
  group: readonly Waiting<Item, Outcome>[],
  { sizeOf, sizeMax }: Pick<TurnBatchesOptions<Item, Outcome>, 'sizeOf' | 'sizeMax'>,
): Waiting<Item, Outcome>[][] {
  const batches: Waiting<Item, Outcome>[][] = [];
  let left = 0;
  for (const waiting of group) {
    const size = sizeOf(waiting.item);
    if (size > left || batches.length === 0) {
      batches.push([]);
      left = sizeMax;
    }
    batches.at(-1)?.push(waiting);
    left -= size;
  }
  return batches;
}
