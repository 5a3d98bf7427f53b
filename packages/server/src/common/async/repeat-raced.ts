/**
 * Repeats a change that another one may overtake, and returns its outcome: `raced` if others came first `timesMax` times. Rejects as
 * `change` does.
 */
export async function repeatRaced<Outcome>(timesMax: number, change: () => Promise<Outcome | 'raced'>) {
  for (let times = 0; times < timesMax; times++) {
    const outcome = await change();
    if (outcome !== 'raced') return outcome;
  }
  return 'raced' as const;
}
