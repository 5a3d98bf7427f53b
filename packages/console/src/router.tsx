/** The addresses of the console. */
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { consolePath } from './api/addresses.ts';
import { lastEnvironment } from './api/environments.ts';
import { accountPages, environmentPages, projectPages } from './pages.tsx';
import { Failed, NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });
const inShell = { getParentRoute: () => shellRoute };
const projectRoute = createRoute({
  ...inShell,
  path: '/p/$slug',
  beforeLoad: ({ params: { slug } }) => {
    throw redirect({ to: environmentPages.state.path, params: { slug, env: lastEnvironment() } });
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
    projectRoute,
    createRoute({ ...inShell, ...environmentPages.state }),
    createRoute({ ...inShell, ...environmentPages.flags }),
    createRoute({ ...inShell, ...environmentPages.history }),
    createRoute({ ...inShell, ...environmentPages.schemas }),
    createRoute({ ...inShell, ...environmentPages.players }),
    createRoute({ ...inShell, ...environmentPages.player }),
    createRoute({ ...inShell, ...environmentPages.userStateHistory }),
    createRoute({ ...inShell, ...projectPages.environments }),
    createRoute({ ...inShell, ...projectPages.keys }),
    createRoute({ ...inShell, ...projectPages.signIn }),
    createRoute({ ...inShell, ...projectPages.connect }),
    createRoute({ ...inShell, ...projectPages.settings }),
    createRoute({ ...inShell, path: '/p/$slug/$', component: NotFound }),
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
