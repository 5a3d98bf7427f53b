/** Every page of the console: address, script and title. The router and the palette read these lists. */
import { type Environment, schemaKinds } from '@holdfast/contract';
import { lazyRouteComponent as lazy, type RouteComponent } from '@tanstack/react-router';
import {
  Building2,
  FileBraces,
  Flag,
  Gamepad2,
  Gauge,
  GitCompareArrows,
  House,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Settings,
  UsersRound,
} from 'lucide-react';
import { isEnvironment } from '../api/environments.ts';
import type { PlayerSearch } from '../api/players.ts';
import type { FigureSearch } from '../api/queries.ts';
import type { PromoteSearch } from '../releases/promote/promote-search.ts';
import type { SchemaSearch } from '../schemas/views.ts';
import type { Texts } from '../texts/index.ts';
import { withTexts } from '../texts/index.ts';

/** A destination, as the sidebar and the palette name it. */
export interface PageLink {
  /** Of those in the sidebar. */
  readonly icon?: LucideIcon;
  readonly name: (t: Texts) => string;
  /** Another name, by which the palette finds it. */
  readonly hint?: (t: Texts) => string;
}

export interface Page {
  readonly path: string;
  /** Its script is loaded on the first visit. */
  readonly component: RouteComponent;
  /** In the title of the window. */
  readonly title: (t: Texts) => string;
  readonly link?: PageLink;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads texts from an address. The page ignores those without a meaning. */
const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Partial<Record<Name, string>>): Partial<Record<Name, string>> =>
    Object.fromEntries(names.map((name) => [name, search[name]]).filter(([, value]) => isText(value)));

export const accountPages = {
  projects: {
    path: '/',
    component: lazy(() => withTexts(import('../projects/projects.tsx')), 'ProjectsPage'),
    title: (t) => t.projects.title,
    link: { icon: LayoutGrid, name: (t) => t.nav.projects },
  },
  team: {
    path: '/team',
    validateSearch: ({ invite }: { invite?: boolean }): { invite?: true } => (invite === true ? { invite } : {}),
    component: lazy(() => withTexts(import('../team/team.tsx')), 'TeamPage'),
    title: (t) => t.team.title,
    link: { icon: UsersRound, name: (t) => t.nav.team },
  },
  service: {
    path: '/service-accounts',
    validateSearch: ({ create }: { create?: boolean }): { create?: true } => (create === true ? { create } : {}),
    component: lazy(() => withTexts(import('../team/service-accounts.tsx')), 'ServiceAccountsPage'),
    title: (t) => t.nav.service,
    link: { name: (t) => t.nav.service },
  },
  audit: {
    path: '/audit',
    validateSearch: texts('action', 'actor', 'project', 'last', 'from', 'to'),
    component: lazy(() => withTexts(import('../audit/audit.tsx')), 'AuditPage'),
    title: (t) => t.audit.title,
    link: { icon: ScrollText, name: (t) => t.nav.audit },
  },
  usage: {
    path: '/usage',
    validateSearch: ({ days, project }: { days?: number; project?: string }): FigureSearch => ({
      ...((days === 7 || days === 90) && { days }),
      ...(isText(project) && { project }),
    }),
    component: lazy(() => withTexts(import('../account/usage.tsx')), 'UsagePage'),
    title: (t) => t.usage.title,
    link: { icon: Gauge, name: (t) => t.nav.usage },
  },
  account: {
    path: '/account',
    component: lazy(() => withTexts(import('../account/account.tsx')), 'AccountPage'),
    title: (t) => t.account.title,
    link: { icon: Building2, name: (t) => t.nav.account },
  },
} as const satisfies Record<string, Page & { validateSearch?: unknown }>;

/** How the document is shown, and the edited proposal. */
const documentSearch = ({ view, proposal, at }: { view?: string; proposal?: string; at?: string }): DocumentSearch => ({
  ...((view === 'form' || view === 'json') && { view }),
  ...(isText(proposal) && { proposal }),
  ...(isText(at) && { at }),
});
interface DocumentSearch {
  readonly view?: 'form' | 'json';
  readonly proposal?: string;
  /** A JSON Pointer to the value that is shown first. */
  readonly at?: string;
}

interface ProposalSearch {
  readonly state?: 'running' | 'applied' | 'withdrawn' | 'failed' | 'all';
  /** The environment whose proposals alone are shown. */
  readonly env?: Environment;
}

const isVersion = (value: number | undefined) => Number.isSafeInteger(value) && Number(value) > 0;
const comparedVersions = ({ version, from }: { version?: number; from?: number }): { version?: number; from?: number } => ({
  ...(isVersion(version) && { version }),
  ...(isVersion(from) && { from }),
});

/** The kind of a schema, the shown tab, and the compared versions. */
const schemaSearch = (search: Partial<SchemaSearch>): SchemaSearch => ({
  ...(search.kind !== undefined && schemaKinds.includes(search.kind) && { kind: search.kind }),
  ...(search.view !== undefined && ['edit', 'check', 'report', 'history'].includes(search.view) && { view: search.view }),
  ...(typeof search.at === 'string' && { at: search.at }),
  ...comparedVersions(search),
});

/** The document stays open below its history. */
export const configuration = lazy(() => withTexts(import('../state/state-page.tsx')), 'StatePage');

export const environmentPages = {
  overview: {
    path: '/p/$slug/$env/overview',
    component: lazy(() => withTexts(import('../overview/overview-page.tsx')), 'OverviewPage'),
    title: (t) => t.nav.overview,
    link: { icon: House, name: (t) => t.nav.overview },
  },
  state: {
    path: '/p/$slug/$env/state',
    validateSearch: documentSearch,
    component: () => null,
    title: (t) => t.state.title,
    link: { icon: FileBraces, name: (t) => t.nav.state },
  },
  flags: {
    path: '/p/$slug/$env/flags',
    validateSearch: ({ flag }: { flag?: string | number | boolean }): { flag?: string } =>
      flag === undefined ? {} : { flag: String(flag) },
    component: lazy(() => withTexts(import('../flags/flags-page.tsx')), 'FlagsPage'),
    title: (t) => t.nav.flags,
    link: { icon: Flag, name: (t) => t.nav.flags },
  },
  history: {
    path: '/p/$slug/$env/history',
    validateSearch: (
      search: { path?: string; version?: number; from?: number; with?: string } & Parameters<typeof documentSearch>[0],
    ) => ({
      ...documentSearch(search),
      ...comparedVersions(search),
      ...(isText(search.path) && { path: search.path }),
      ...(isText(search.with) && { with: search.with }),
    }),
    component: lazy(() => withTexts(import('../history/history.tsx')), 'HistoryPage'),
    title: (t) => t.history.title,
    link: { name: (t) => t.nav.history },
  },
  proposals: {
    path: '/p/$slug/$env/proposals',
    validateSearch: ({ state, env }: { state?: string; env?: string }): ProposalSearch => ({
      ...((state === 'running' ||
        state === 'applied' ||
        state === 'withdrawn' ||
        state === 'failed' ||
        state === 'all') && {
        state,
      }),
      ...(isEnvironment(env) && { env }),
    }),
    component: lazy(() => withTexts(import('../releases/proposals/proposals-page.tsx')), 'ProposalsPage'),
    title: (t) => t.nav.proposals,
    link: { name: (t) => t.nav.proposals },
  },
  proposal: {
    path: '/p/$slug/$env/proposals/$proposalId',
    component: lazy(() => withTexts(import('../releases/proposals/proposal-page.tsx')), 'ProposalPage'),
    title: (t) => t.nav.proposals,
  },
  schemas: {
    path: '/p/$slug/$env/schemas',
    validateSearch: schemaSearch,
    component: lazy(() => withTexts(import('../schemas/schemas-page.tsx')), 'SchemasPage'),
    title: (t) => t.nav.schemas,
    link: { icon: ListChecks, name: (t) => t.nav.schemas, hint: (t) => t.nav.schemasHint },
  },
  players: {
    path: '/p/$slug/$env/players',
    validateSearch: ({ query, in: within }: { query?: string | number | boolean; in?: string }): PlayerSearch => ({
      ...(query !== undefined && query !== '' && { query: String(query) }),
      ...(within === 'account' && { in: within }),
    }),
    component: lazy(() => withTexts(import('../players/list/players.tsx')), 'PlayersPage'),
    title: (t) => t.players.title,
    link: { icon: Gamepad2, name: (t) => t.nav.players },
  },
  player: {
    path: '/p/$slug/$env/players/$playerId',
    component: lazy(() => withTexts(import('../players/player/player.tsx')), 'PlayerPage'),
    title: (t) => t.players.title,
  },
  userStateHistory: {
    path: '/p/$slug/$env/players/$playerId/history',
    validateSearch: comparedVersions,
    component: lazy(() => withTexts(import('../players/saves/save-history.tsx')), 'SaveHistoryPage'),
    title: (t) => t.players.title,
  },
} as const satisfies Record<string, Page & { validateSearch?: unknown }>;

export const projectPages = {
  environments: {
    path: '/p/$slug/environments',
    validateSearch: (search: { from?: string; to?: string; version?: number; proposal?: string }): PromoteSearch => ({
      ...(isEnvironment(search.from) && { from: search.from }),
      ...(isEnvironment(search.to) && { to: search.to }),
      ...(isVersion(search.version) && { version: search.version }),
      ...(isText(search.proposal) && { proposal: search.proposal }),
    }),
    component: lazy(() => withTexts(import('../releases/promote/promote.tsx')), 'PromotePage'),
    title: (t) => t.nav.compare,
    link: { icon: GitCompareArrows, name: (t) => t.nav.environments, hint: (t) => t.promote.hint },
  },
  calendar: {
    path: '/p/$slug/calendar',
    validateSearch: texts('from', 'by', 'env', 'state'),
    component: lazy(() => withTexts(import('../releases/calendar/calendar-page.tsx')), 'CalendarPage'),
    title: (t) => t.nav.calendar,
    link: { name: (t) => t.nav.calendar },
  },
  keys: {
    path: '/p/$slug/keys',
    validateSearch: ({ create }: { create?: boolean }): { create?: true } => (create === true ? { create } : {}),
    component: lazy(() => withTexts(import('../connect/keys.tsx')), 'KeysPage'),
    title: (t) => t.keys.title,
    link: { name: (t) => t.nav.keys },
  },
  signIn: {
    path: '/p/$slug/sign-in',
    component: lazy(() => withTexts(import('../sign-in-settings/sign-in-settings.tsx')), 'SignInSettingsPage'),
    title: (t) => t.signIn.title,
    link: { name: (t) => t.nav.signIn },
  },
  webhooks: {
    path: '/p/$slug/webhooks',
    component: lazy(() => withTexts(import('../webhooks/webhooks.tsx')), 'WebhooksPage'),
    title: () => 'Webhooks',
    link: { name: () => 'Webhooks' },
  },
  webhook: {
    path: '/p/$slug/webhooks/$webhookId',
    component: lazy(() => withTexts(import('../webhooks/webhook.tsx')), 'WebhookPage'),
    title: () => 'Webhook',
  },
  connect: {
    path: '/p/$slug/connect',
    validateSearch: ({ welcome }: { welcome?: boolean }): { welcome?: true } => (welcome === true ? { welcome } : {}),
    component: lazy(() => withTexts(import('../connect/connect.tsx')), 'ConnectPage'),
    title: (t) => t.nav.connect,
    link: { name: (t) => t.nav.connect },
  },
  settings: {
    path: '/p/$slug/settings',
    component: lazy(() => withTexts(import('../settings/project-settings.tsx')), 'ProjectSettingsPage'),
    title: (t) => t.settings.title,
    link: { icon: Settings, name: (t) => t.nav.settings },
  },
} as const satisfies Record<string, Page & { validateSearch?: unknown }>;

/** The pages of a list that the palette links to. */
export const linked = <Listed extends Page>(pages: Readonly<Record<string, Listed>>) =>
  Object.values(pages).filter((page): page is Extract<Listed, { link: PageLink }> => page.link !== undefined);

/** Every page by the path of its route. */
export const pagesByPath: ReadonlyMap<string, Page> = new Map(
  [accountPages, environmentPages, projectPages].flatMap((pages) =>
    Object.values<Page>(pages).map((page) => [page.path, page]),
  ),
);
