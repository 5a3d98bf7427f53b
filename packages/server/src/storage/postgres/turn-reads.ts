/**
 * Reads that come in the same turn of the event loop are looked up together. None of them was sent before the last of them
 * came, so each sees every write that was acknowledged before it.
 */

export interface TurnReadsOptions<Key, Found> {
  /** Only what has the same group is looked up together. */
  readonly groupOf: (key: Key) => string;
  /** Looks some records of one group up; returns what was found of each, in the order of `keys`. */
  readonly readTogether: (keys: readonly Key[]) => Promise<readonly Found[]>;
  /** Records in one look-up at most. */
  readonly togetherMax: number;
}

interface Wanted<Key, Found> {
  readonly key: Key;
  readonly found: PromiseWithResolvers<Found>;
}

/** Returns a way to read one record: the one that `key` means, which is the same for the same name. */
export function createTurnReads<Key, Found>({
  groupOf,
  readTogether,
  togetherMax,
}: TurnReadsOptions<Key, Found>): (name: string, key: Key) => Promise<Found> {
  let turn: Map<string, Wanted<Key, Found>> | undefined;
  return (name, key) => {
    if (turn === undefined) {
      turn = new Map();
      setImmediate(endTurn);
    }
    let wanted = turn.get(name);
    if (wanted === undefined) {
      wanted = { key, found: Promise.withResolvers() };
      turn.set(name, wanted);
    }
    return wanted.found.promise;
  };

  function endTurn(): void {
    const wanted = [...(turn?.values() ?? [])];
    turn = undefined;
    for (const group of wanted.length === 1 ? [wanted] : Map.groupBy(wanted, ({ key }) => groupOf(key)).values()) {
      for (let begin = 0; begin < group.length; begin += togetherMax) read(group.slice(begin, begin + togetherMax));
    }
  }

  function read(wanted: readonly Wanted<Key, Found>[]): void {
    readTogether(wanted.map(({ key }) => key)).then(
      (all) => {
        for (const [index, { found }] of wanted.entries()) found.resolve(all[index] as Found);
      },
      (error: unknown) => {
        for (const { found } of wanted) found.reject(error);
      },
    );
  }
}
