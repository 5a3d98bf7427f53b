/** The texts of the overview in English. */
import type { Widened } from './widened.ts';

export const overviewEn = {
  changes: 'Recent changes',
  noChanges: 'Nothing has been saved here yet.',
  allChanges: 'History',
  requests: 'Requests and errors of this project',
  requestsHint:
    'All environments. Days are in UTC. Refused: 4xx, such as a write that breaks a rule. Failed: 5xx, a fault of the service.',
  today: 'Today',
  yesterday: 'Yesterday',
  month: 'Last 30 days',
  noErrors: 'no errors',
  refused: (count: string) => `${count} refused`,
  failed: (count: string) => `${count} failed`,
  requestCount: 'Requests',
  daily: 'Requests of the last 30 days',
  details: 'By key, day and code',
  streams: 'Live connections',
  streamsHint: 'Games and servers that get changes immediately.',
  streamsOf: (configuration: string, saves: string) => `${configuration} for the configuration, ${saves} for saves`,
  rules: 'Rules',
  rulesOf: { 'public-state': 'Configuration', 'user-state': 'Saves' },
  noSchema: 'no schema',
  modes: { off: 'off', report: 'reports', enforce: 'enforces' },
  problems: (count: string) => (count === '1' ? '1 problem counted' : `${count} problems counted`),
  noProblems: 'no problems',
  environments: 'Environments',
  neverSaved: 'nothing saved yet',
  compare: 'Compare and promote',
  waiting: 'Waiting for you',
  nothingWaits: 'Nothing is waiting for you.',
  draft: (env: string, when: string) => `Unsaved changes in ${env}, from ${when}`,
  keyExpires: (name: string, when: string) => `The API key “${name}” expires ${when}`,
  keyExpired: (name: string, when: string) => `The API key “${name}” expired ${when}`,
  warnings: (count: number) => (count === 1 ? 'Player sign-in has 1 warning' : `Player sign-in has ${count} warnings`),
};

export type OverviewTexts = Widened<typeof overviewEn>;
