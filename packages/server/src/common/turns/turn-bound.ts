import { nextTurn } from './turns.ts';

/** Returns a function that runs at most this many pieces of work in one turn of the event loop, and the rest in later turns, in order. */
export function createTurnBound(turnMax: number): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  let begun = 0;

  function resume(): void {
    const works = waiting.splice(0, turnMax);
    begun = works.length;
    if (begun > 0) nextTurn(resume);
    for (const work of works) work();
  }

  return (work) => {
    if (begun === turnMax || waiting.length > 0) {
      waiting.push(work);
      return;
    }
    if (begun++ === 0) nextTurn(resume);
    work();
  };
}
