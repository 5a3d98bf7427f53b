/** The texts about requests and connections on the usage page, in English. */
import type { Widened } from './widened.ts';

export const texts = {
  title: 'Requests in detail',
  lead: 'Requests and errors by project and key, days in UTC. Includes those not counted above.',
  period: 'Period',
  days: (days: number) => (days === 1 ? '1 day' : `${days} days`),
  lastDays: (days: number) => (days === 1 ? 'On the last day.' : `In the last ${days} days.`),
  project: 'Project',
  allProjects: 'All projects',
  requests: 'Requests',
  errors: 'Refused and failed',
  errorShare: (percent: string, refused: string, failed: string) =>
    `${percent} of all requests: ${refused} refused (4xx), ${failed} failed (5xx)`,
  noErrors: 'None',
  open: 'Live connections now',
  openHint: 'Games and servers that get changes immediately.',
  openOf: (publicState: string, saves: string) => `${publicState} for configuration, ${saves} for saves`,
  errorsByDay: 'Refused and failed, by day and code',
  noErrorsText: 'Nothing was refused or failed in this period.',
  otherCodes: 'other codes',
  day: 'Day',
  callers: 'Callers',
  caller: 'Caller',
  mostFrequent: 'Most frequent code',
  noProject: 'No project',
  kinds: {
    api_key: 'API key',
    service_account: 'Service account',
    developer: 'Members of the account',
    end_user: 'Players',
    other: 'All others',
  },
  gone: (kind: string) => `${kind}, deleted`,
  connections: 'Live connections',
  publicState: 'Configuration',
  saves: 'Saves',
  empty: 'No requests in this period',
  emptyText: 'Requests that a game, a server or this console sends to a project appear here within seconds.',
};

export type RequestFigureTexts = Widened<typeof texts>;
