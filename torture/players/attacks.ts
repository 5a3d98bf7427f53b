/** Attacks on players: their saves while they sign up and merge, and their sign-ins while servers restart. */

import { attack, onEach, onEveryEngine } from '../attack.ts';
import { tortureGuests } from './guests.ts';
import { tortureSessions } from './sessions.ts';

export const playerAttacks = [
  attack({
    option: 'guests',
    min: 1,
    takes: ['engine'],
    help: ['N guests sign up or merge while they save and servers are killed, on both engines or one --engine'],
    whole: ({ count, engines }) => ({ count, engines }),
    smoke: onEveryEngine(40),
    run: ({ count: guests, engines }, seed) =>
      onEach(engines, async (engine) => {
        const { kills, acknowledgedSaves, repeats, became, faults } = await tortureGuests(engine, guests, seed);
        const ends = [...became].map(([end, count]) => `${count} ${end}`).join(', ');
        const summary = `${engine}: ${kills} kills, ${acknowledgedSaves} acknowledged saves, ${repeats} sign-ups sent again; ${ends}`;
        return { summary, faults };
      }),
  }),
  attack({
    option: 'sessions',
    min: 1,
    takes: ['engine'],
    help: ['players renew their tokens under N restarts and rotations of keys, on both engines or one --engine'],
    whole: ({ count, engines }) => ({ count, engines }),
    smoke: onEveryEngine(12),
    run: ({ count: events, engines }, seed) =>
      onEach(engines, async (engine) => {
        const report = await tortureSessions(engine, events, seed);
        const { restarts, rotations, nodeChanges, lostAnswers, renewals, signedOut, faults } = report;
        const met = `${restarts} restarts, ${rotations} rotations, ${nodeChanges} changes of the server, ${lostAnswers} lost answers`;
        return { summary: `${engine}: ${met}; ${renewals} renewals, ${signedOut} signed out`, faults };
      }),
  }),
];
