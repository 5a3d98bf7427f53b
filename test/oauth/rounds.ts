/** How many rounds of a race are run, and with how many runners. `OAUTH_RACE_ROUNDS=100` runs more. */
export const rounds = Number(process.env.OAUTH_RACE_ROUNDS ?? 12);
export const runners = 100;

/** Starts `count` requests at once and returns their answers. */
export function race<Answer>(count: number, start: (runner: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, runner) => start(runner)));
}
