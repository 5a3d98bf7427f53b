/** The addresses of the console. */
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { consolePath } from './api/addresses.ts';
import { isEnvironment, lastEnvironment } from './api/environments.ts';
import { NotFound } from './page/not-found.tsx';
import { accountPages, configuration, environmentPages, projectPages } from './shell/pages.tsx';
import { Failed, Shell } from './shell/shell.tsx';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });
const inShell = { getParentRoute: () => shellRoute };
const configurationRoute = createRoute({ ...inShell, id: 'configuration', component: configuration });
const inConfiguration = { getParentRoute: () => configurationRoute };
/** Addresses of a project without a page open its overview. */
const otherRoute = createRoute({
  ...inShell,
  path: '/p/$slug/$',
  component: NotFound,
  beforeLoad: ({ params: { slug, _splat: rest = '' } }) => {
    const env = rest === '' ? lastEnvironment() : rest.replace(/\/$/, '');
    if (isEnvironment(env)) throw redirect({ to: environmentPages.overview.path, params: { slug, env } });
  },
});

const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    createRoute({ ...inShell, ...accountPages.projects }),
    createRoute({ ...inShell, ...accountPages.team }),
    createRoute({ ...inShell, ...accountPages.service }),
    createRoute({ ...inShell, ...accountPages.audit }),
    createRoute({ ...inShell, ...accountPages.usage }),
    createRoute({ ...inShell, ...accountPages.account }),
    createRoute({ ...inShell, ...environmentPages.overview }),
    configurationRoute.addChildren([
      createRoute({ ...inConfiguration, ...environmentPages.state }),
      createRoute({ ...inConfiguration, ...environmentPages.history }),
    ]),
    createRoute({ ...inShell, ...environmentPages.flags }),
    createRoute({ ...inShell, ...environmentPages.proposals }),
    createRoute({ ...inShell, ...environmentPages.proposal }),
    createRoute({ ...inShell, ...environmentPages.schemas }),
    createRoute({ ...inShell, ...environmentPages.players }),
    createRoute({ ...inShell, ...environmentPages.player }),
    createRoute({ ...inShell, ...environmentPages.userStateHistory }),
    createRoute({ ...inShell, ...projectPages.environments }),
    createRoute({ ...inShell, ...projectPages.calendar }),
    createRoute({ ...inShell, ...projectPages.keys }),
    createRoute({ ...inShell, ...projectPages.signIn }),
    createRoute({ ...inShell, ...projectPages.webhooks }),
    createRoute({ ...inShell, ...projectPages.webhook }),
    createRoute({ ...inShell, ...projectPages.connect }),
    createRoute({ ...inShell, ...projectPages.settings }),
    otherRoute,
    createRoute({ ...inShell, path: '/$', component: NotFound }),
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
