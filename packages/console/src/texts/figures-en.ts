/** The texts about requests and connections on the usage page, in English. */
import type { Widened } from './widened.ts';

export const figuresEn = {
  title: 'Who asks, and what goes wrong',
  lead: 'Requests by project and key, as this service answered them. Days are UTC.',
  period: 'Period',
  days: (days: number) => `${days} days`,
  project: 'Project',
  allProjects: 'All projects',
  requests: 'Requests',
  errors: 'Errors',
  errorShare: (percent: string) => `${percent} of all requests`,
  noErrors: 'None',
  open: 'Live connections now',
  openHint: 'Change streams and long polls, on all nodes.',
  openOf: (publicState: string, saves: string) => `${publicState} to public state, ${saves} to saves`,
  errorsByDay: 'Errors by day and code',
  noErrorsText: 'No request was answered with an error in this time.',
  otherCodes: 'other codes',
  day: 'Day',
  callers: 'Callers',
  caller: 'Caller',
  mostFrequent: 'Most frequent error',
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
  publicState: 'Public state',
  saves: 'Saves',
  empty: 'No requests in this time',
  emptyText: 'Requests that a game, a server or this console sends to a project appear here within seconds.',
};

export type FigureTexts = Widened<typeof figuresEn>;
