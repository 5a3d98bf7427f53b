import { expect } from 'vitest';
import { expectTokenError, tokensOf, type World } from './world.ts';

/** Rounds of each race, and runners in each round. `OAUTH_RACE_ROUNDS=100` runs more. */
export const rounds = Number(process.env.OAUTH_RACE_ROUNDS ?? 12);
export const runners = 100;

/** Rounds and runners of the same races in the quick tests. */
export const fewRounds = 2;
export const fewRunners = 10;

/** Starts `count` requests simultaneously and returns their answers. */
export function race<Answer>(count: number, start: (runner: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, runner) => start(runner)));
}

/** Without a grace period: one use of a refresh token gets tokens, and the others end its family. */
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

/** Within the grace period: one use of a refresh token gets tokens, and they work. */
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

/** Races a logout against a refresh of the same token, in ten families simultaneously: none of their tokens works afterwards. */
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
