/**
 * Guests who sign up and merge while their devices save and servers are killed. Afterwards each guest is completely linked or merged, or
 * still a guest; every acknowledged save exists once, as the version that its response named.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../../tooling/database.ts';
import { createRandom, type Random } from '../../tooling/random.ts';
import { withDataDir } from '../../tooling/server-process.ts';
import { Counts, firstOf, sumOf } from '../../tooling/statistics.ts';
import { checkStory, type Verdict } from './check-story.ts';
import { openPlayerStage, type PlayerStage } from './stage.ts';
import { play, type Story } from './story.ts';

/** Stories in parallel. */
const atOnce = 16;
const faultsShown = 20;
const answersBetweenKills = 20;

export interface GuestsReport {
  readonly engine: Engine;
  readonly kills: number;
  readonly acknowledgedSaves: number;
  /** Sign-ups and merges that were repeated. */
  readonly repeats: number;
  readonly became: ReadonlyMap<Verdict['became'], number>;
  readonly faults: readonly string[];
}

/** Runs this many stories. Rejects if a server does not start again or stays silent for three minutes. */
export function tortureGuests(engine: Engine, guests: number, seed: number): Promise<GuestsReport> {
  return withDataDir(async (folder) => {
    const stage = await openPlayerStage(engine, folder);
    try {
      const random = createRandom(seed);
      let isOver = false;
      const killing = killUntil(stage, () => isOver, random);
      const stories: Story[] = [];
      let begun = 0;
      const playInTurn = async () => {
        while (begun < guests) stories.push(await play(stage, `player-${++begun}`, random));
      };
      const playing = Promise.all(Array.from({ length: atOnce }, playInTurn));
      await Promise.race([playing, killing]).finally(() => {
        isOver = true;
      });
      await playing;
      const kills = await killing;
      const verdicts: Verdict[] = [];
      const left = [...stories];
      const checkInTurn = async () => {
        for (let story = left.pop(); story !== undefined; story = left.pop()) verdicts.push(await checkStory(stage, story));
      };
      await Promise.all(Array.from({ length: atOnce }, checkInTurn));
      return { engine, kills, ...totalsOf(stories), ...summed(verdicts) };
    } finally {
      await stage.close();
    }
  });
}

/** Kills servers, one at a time. Resolves with the number of kills, once all run again. */
async function killUntil(stage: PlayerStage, isOver: () => boolean, random: Random): Promise<number> {
  let killed = 0;
  for (; !isOver(); killed++) {
    const before = stage.answered();
    await sleep(300 + random.below(900));
    // However slow the machine is, something happens between two kills.
    while (!isOver() && stage.answered() < before + answersBetweenKills) await sleep(20);
    await stage.restart(random.below(stage.baseUrls.length), 'kill');
  }
  return killed;
}

function totalsOf(stories: readonly Story[]): Pick<GuestsReport, 'acknowledgedSaves' | 'repeats'> {
  const saves = ({ guest, player }: Story) => guest.acknowledged.length + (player?.acknowledged.length ?? 0);
  return { acknowledgedSaves: sumOf(stories, saves), repeats: sumOf(stories, ({ repeats }) => repeats) };
}

function summed(verdicts: readonly Verdict[]): Pick<GuestsReport, 'became' | 'faults'> {
  const became = new Counts<Verdict['became']>();
  for (const verdict of verdicts) became.add(verdict.became);
  const faults = verdicts.flatMap((verdict) => verdict.faults);
  return { became, faults: firstOf(faults, faultsShown) };
}
