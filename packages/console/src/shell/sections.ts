/** Which pages are together: in the sidebar, and under tabs. */

import type { Texts } from '../texts/index.ts';
import { accountPages, environmentPages, type Page, projectPages } from './pages.tsx';

/** A destination in the sidebar, and the paths of the pages that belong to it. */
interface Entry<Target> {
  readonly page: Target;
  readonly paths: readonly string[];
}

const entry = <Target extends Page>(page: Target, ...others: readonly Page[]): Entry<Target> => ({
  page,
  paths: [page, ...others].map(({ path }) => path),
});

/** The pages of a project in the sidebar, in order. */
export const projectEntries = [
  entry(environmentPages.overview),
  entry(environmentPages.state, environmentPages.history),
  entry(environmentPages.flags),
  entry(environmentPages.players, environmentPages.player, environmentPages.userStateHistory),
  entry(environmentPages.schemas),
  entry(projectPages.environments, environmentPages.proposals, environmentPages.proposal, projectPages.calendar),
  entry(
    projectPages.settings,
    projectPages.signIn,
    projectPages.keys,
    projectPages.webhooks,
    projectPages.webhook,
    projectPages.connect,
  ),
] as const;

/** The pages of the account in the sidebar, in order. */
export const accountEntries = [
  entry(accountPages.projects),
  entry(accountPages.team, accountPages.service),
  entry(accountPages.usage),
  entry(accountPages.account),
  entry(accountPages.audit),
] as const;

/** Pages with common tabs. */
export const sections = [
  {
    name: (t: Texts) => t.nav.environments,
    tabs: [
      { page: projectPages.environments, name: (t: Texts) => t.nav.compare },
      { page: environmentPages.proposals, name: (t: Texts) => t.nav.proposals },
      { page: projectPages.calendar, name: (t: Texts) => t.nav.calendar },
    ],
  },
  {
    name: (t: Texts) => t.nav.settings,
    tabs: [
      { page: projectPages.settings, name: (t: Texts) => t.nav.general },
      { page: projectPages.signIn, name: (t: Texts) => t.nav.signIn },
      { page: projectPages.keys, name: (t: Texts) => t.nav.keys },
      { page: projectPages.webhooks, name: () => 'Webhooks' },
      { page: projectPages.connect, name: (t: Texts) => t.nav.connect },
    ],
  },
  {
    name: (t: Texts) => t.nav.team,
    tabs: [
      { page: accountPages.team, name: (t: Texts) => t.nav.members },
      { page: accountPages.service, name: (t: Texts) => t.nav.service },
    ],
  },
] as const;
