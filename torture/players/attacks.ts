/** Attacks on players: their saves while they sign up and merge, and their sign-ins while servers restart. */

import type { Engine } from '../../tooling/database.ts';
import { type Attack, onEach } from '../attacks.ts';
import { tortureGuests } from './guests.ts';
import { tortureSessions } from './sessions.ts';

/** How many guests sign up or merge on each engine. */
export const guestsAttack = (guests: number, engines: readonly Engine[]): Attack => ({
  name: 'guests',
  run: (seed) =>
    onEach(engines, async (engine) => {
      const { kills, acknowledgedSaves, repeats, became, faults } = await tortureGuests(engine, guests, seed);
      const ends = [...became].map(([end, count]) => `${count} ${end}`).join(', ');
      const summary = `${engine}: ${kills} kills, ${acknowledgedSaves} acknowledged saves, ${repeats} sign-ups sent again; ${ends}`;
      return { summary, faults };
    }),
});

/** How many restarts and rotations there are on each engine. */
export const sessionsAttack = (events: number, engines: readonly Engine[]): Attack => ({
  name: 'sessions',
  run: (seed) =>
    onEach(engines, async (engine) => {
      const report = await tortureSessions(engine, events, seed);
      const { restarts, rotations, nodeChanges, lostAnswers, renewals, signedOut, faults } = report;
      const met = `${restarts} restarts, ${rotations} rotations, ${nodeChanges} changes of the server, ${lostAnswers} lost answers`;
      return { summary: `${engine}: ${met}; ${renewals} renewals, ${signedOut} signed out`, faults };
    }),
});
