/** Whose turn it is among bodies that are read in portions: one turn of the event loop reads one portion of all of them. */
const waiting: (() => void)[] = [];

/** Resolves in a turn of its own. There is one event loop, and one of this. */
export function streamTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(nextTurn);
  });
}

function nextTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextTurn);
}
