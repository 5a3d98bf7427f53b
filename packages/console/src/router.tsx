/** The addresses of the console. Pages are loaded when somebody goes there. */
import type { Environment } from '@holdfast/contract';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { consolePath } from './api/addresses.ts';
import { isEnvironment, lastEnvironment } from './api/environments.ts';
import { Failed, NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });
const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/projects.tsx'), 'ProjectsPage'),
});
const usageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage',
  component: lazyRouteComponent(() => import('./pages/usage.tsx'), 'UsagePage'),
});
const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
});
const projectRoute = createRoute({ getParentRoute: () => shellRoute, path: '/p/$slug', component: Outlet });
const projectIndexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: ({ params: { slug } }) => {
    throw redirect({ to: '/p/$slug/$env/state', params: { slug, env: lastEnvironment() } });
  },
});
const connectRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/connect',
  validateSearch: ({ welcome }: { welcome?: boolean }): { welcome?: true } => (welcome === true ? { welcome } : {}),
  component: lazyRouteComponent(() => import('./pages/connect.tsx'), 'ConnectPage'),
});
const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/keys',
  validateSearch: ({ create }: { create?: boolean }): { create?: true } => (create === true ? { create } : {}),
  component: lazyRouteComponent(() => import('./pages/keys.tsx'), 'KeysPage'),
});
const signInRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in-settings.tsx'), 'SignInSettingsPage'),
});
const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/project-settings.tsx'), 'ProjectSettingsPage'),
});
const promoteRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/environments',
  validateSearch: ({ from, to }: { from?: string; to?: string }): { from?: Environment; to?: Environment } => ({
    ...(isEnvironment(from) && { from }),
    ...(isEnvironment(to) && { to }),
  }),
  component: lazyRouteComponent(() => import('./pages/promote.tsx'), 'PromotePage'),
});
const environmentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/$env',
  params: {
    parse: ({ env }) => ({ env: isEnvironment(env) ? env : 'development' }),
    stringify: ({ env }) => ({ env }),
  },
  component: Outlet,
});
const stateRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/state',
  component: lazyRouteComponent(() => import('./state/state-page.tsx'), 'StatePage'),
});
const historyRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/history',
  validateSearch: ({ version, from }: { version?: number; from?: number }): { version?: number; from?: number } => ({
    ...(isVersion(version) && { version }),
    ...(isVersion(from) && { from }),
  }),
  component: lazyRouteComponent(() => import('./pages/history.tsx'), 'HistoryPage'),
});
const playersRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/players',
  component: lazyRouteComponent(() => import('./pages/players.tsx'), 'PlayersPage'),
});
const playerRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/players/$playerId',
  component: lazyRouteComponent(() => import('./pages/player.tsx'), 'PlayerPage'),
});

const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    homeRoute,
    usageRoute,
    accountRoute,
    projectRoute.addChildren([
      projectIndexRoute,
      connectRoute,
      keysRoute,
      signInRoute,
      settingsRoute,
      promoteRoute,
      environmentRoute.addChildren([stateRoute, historyRoute, playersRoute, playerRoute]),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: consolePath,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: Failed,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
