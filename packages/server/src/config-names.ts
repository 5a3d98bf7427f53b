/** Which setting a misspelt name was meant for. */

/** At more edits than this, a name is no misspelling of another one. */
const editsMax = 4;

/** Returns the one of `known` that `name` is probably meant for, or undefined when none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known.map((other) => ({ other, edits: editsBetween(name, other) })).sort((a, b) => a.edits - b.edits);
  return nearest && nearest.edits <= editsMax ? nearest.other : undefined;
}

/** How many characters must be added, dropped or changed to turn `a` into `b` (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const change = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
