import { expect } from 'vitest';
import { expectTokenError, tokensOf, type World } from './world.ts';

/** How many rounds of a race are run, and with how many runners. `OAUTH_RACE_ROUNDS=100` runs more. */
export const rounds = Number(process.env.OAUTH_RACE_ROUNDS ?? 12);
export const runners = 100;

/** What the quick tests run of the same races. */
export const fewRounds = 2;
export const fewRunners = 10;

/** Starts `count` requests at once and returns their answers. */
export function race<Answer>(count: number, start: (runner: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, runner) => start(runner)));
}

/** Without a grace: one of the uses of a refresh token gets tokens, and the others end its family. */
export async function raceRefreshes(world: World, times: number, uses: number): Promise<void> {
  for (let round = 0; round < times; round++) {
    const { refresh_token } = await world.newTokens();
    const answers = await race(uses, () => world.refresh(refresh_token));
    const [winner, ...others] = answers.toSorted((one, two) => one.status - two.status);
    for (const other of others) expectTokenError(other, 400, 'invalid_grant');
    const next = tokensOf(winner as (typeof answers)[0]);
    expectTokenError(await world.refresh(next.refresh_token), 400, 'invalid_grant');
  }
}

/** Within the grace: one of the uses of a refresh token gets tokens, and they work. */
export async function raceRefreshesInGrace(world: World, times: number, uses: number): Promise<void> {
  let { refresh_token } = await world.newTokens();
  for (let round = 0; round < times; round++) {
    const answers = await race(uses, () => world.refresh(refresh_token));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const other of answers) if (other.status !== 200) expectTokenError(other, 400, 'invalid_grant');
    ({ refresh_token } = tokensOf(winners[0] as (typeof answers)[0]));
  }
}

/** A logout beside a refresh of the same token, in ten families at once: no token of them works afterwards. */
export async function raceLogouts(world: World, times: number): Promise<void> {
  for (let round = 0; round < times; round++) {
    const families = await race(10, () => world.newTokens());
    const answers = await Promise.all(
      families.flatMap(({ refresh_token }, index) => {
        const logOut = async () => void expect((await world.logOut(refresh_token)).status).toBe(204);
        const refresh = () => world.refresh(refresh_token);
        return index % 2 === 0 ? [logOut(), refresh()] : [refresh(), logOut()];
      }),
    );
    for (const answer of answers) {
      if (answer === undefined) continue;
      if (answer.status !== 200) expectTokenError(answer, 400, 'invalid_grant');
      else expectTokenError(await world.refresh(tokensOf(answer).refresh_token), 400, 'invalid_grant');
    }
  }
}
