/**
 * Random sequences of refreshes, repeats, replays, logouts, pauses and restarts, compared with a model of a token family. The model has a
 * few lines, and does not use hashes. @see docs/contract.md §7.6
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { openWorld, tokensOf, type World } from './world.ts';

const second = 1_000;
const hour = 3_600 * second;

let world: World;
let place: Place;

/** A successful exchange: the presented token yielded the next one. */
interface Exchange {
  readonly key: string | undefined;
  readonly at: number;
}

/** Expected behaviour of a family. Exchange `n - 1` issued token `n`. */
class Model {
  isAlive = true;
  readonly exchanges: Exchange[] = [];

  /** The number of the issued token, or undefined if the request is rejected. */
  refresh(token: number, key: string | undefined, now: number): number | undefined {
    if (!this.isAlive) return undefined;
    const current = this.exchanges.length;
    if (token === current) {
      this.exchanges.push({ key, at: now });
      return current + 1;
    }
    const before = this.exchanges[token] as Exchange;
    if (key !== undefined && before.key === key) {
      return token === current - 1 && now - before.at <= 24 * hour ? current : undefined;
    }
    this.isAlive = token === current - 1 && now - before.at <= 10 * second;
    return undefined;
  }
}

type Step =
  | { readonly kind: 'refresh'; readonly back: number; readonly key: number }
  | { readonly kind: 'logout'; readonly back: number }
  | { readonly kind: 'pass'; readonly milliseconds: number }
  | { readonly kind: 'restart' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  // Most refreshes use the latest tokens; 0 means no key.
  { weight: 40, arbitrary: fc.record({ kind: fc.constant('refresh'), back: fc.nat(2), key: fc.nat(3) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('refresh'), back: fc.nat(9), key: fc.nat(3) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('pass'),
      milliseconds: fc.constantFrom(second, 11 * second, hour, 25 * hour),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('logout'), back: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
) as fc.Arbitrary<Step>;

/** Runs a sequence on a new family, and compares every answer with the model. */
async function run(sequence: readonly Step[]): Promise<void> {
  const model = new Model();
  const texts = [(await world.newTokens()).refresh_token];
  const tokenOf = (back: number) => Math.max(0, texts.length - 1 - back);
  for (const step of sequence) {
    if (step.kind === 'pass') world.pass(step.milliseconds);
    else if (step.kind === 'restart') await world.restart();
    else if (step.kind === 'logout') {
      expect((await world.logOut(texts[tokenOf(step.back)] as string)).status).toBe(204);
      model.isAlive = false;
    } else {
      const token = tokenOf(step.back);
      const key = step.key === 0 ? undefined : `the-key-of-a-client-${step.key}`;
      const expected = model.refresh(token, key, world.now());
      const answer = await world.refresh(texts[token] as string, {}, key);
      if (expected === undefined) {
        expect([answer.status, answer.json]).toMatchObject([400, { error: 'invalid_grant' }]);
      } else {
        const { refresh_token: text } = tokensOf(answer);
        texts[expected] ??= text;
        expect(texts[expected]).toBe(text);
      }
    }
  }
  expect(new Set(texts).size).toBe(texts.length);
}

/** Declares the test with this number of sequences. */
export function sequencesSuite(sequences: number): void {
  beforeAll(async () => {
    place = await openPlace();
    world = await openWorld({ place });
  });
  afterAll(async () => {
    await world.stop();
    await place.remove();
  });

  it(`${sequences} random sequences match the model`, { timeout: 180_000 + sequences * 3_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 24 }), run), { numRuns: sequences });
  });
}
