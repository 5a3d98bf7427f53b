/**
 * Reads of one record that come in the same turn of the event loop share one look at the database. None of them was sent
 * before the last of them came, so each sees every write that was acknowledged before it.
 */

/** Returns `read` so that calls of one turn with one name are one call. */
export function createTurnReads<Key, Found>(
  read: (name: string, key: Key) => Promise<Found>,
): (name: string, key: Key) => Promise<Found> {
  let turn: Map<string, Promise<Found>> | undefined;
  return (name, key) => {
    turn ??= new Map();
    const known = turn.get(name);
    if (known !== undefined) return known;
    const found = atEndOfTurn().then(() => read(name, key));
    turn.set(name, found);
    return found;
  };

  function atEndOfTurn(): Promise<void> {
    return new Promise((resolve) =>
      setImmediate(() => {
        turn = undefined;
        resolve();
      }),
    );
  }
}
