import { nextTurn } from './turns.ts';

/** Returns a function that runs so many pieces of work in one turn of the event loop, and the others in the next turns, in order. */
export function createTurnBound(turnMax: number): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  let begun = 0;

  function goOn(): void {
    const works = waiting.splice(0, turnMax);
    begun = works.length;
    if (begun > 0) nextTurn(goOn);
    for (const work of works) work();
  }

  return (work) => {
    if (begun === turnMax || waiting.length > 0) {
      waiting.push(work);
      return;
    }
    if (begun++ === 0) nextTurn(goOn);
    work();
  };
}
