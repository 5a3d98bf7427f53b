/** The console: signs people in, and shows the pages to those who are. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense, useCallback, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { session } from './api/session.ts';
import { router } from './router.tsx';
import { arrivalOf } from './shell/arrival.ts';
import { useSession } from './shell/session.tsx';
import { SignInPage } from './shell/sign-in-page.tsx';
import './styles/tokens.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/pages.css';
import './styles/state.css';
import { Toasts } from './ui/toasts.tsx';

const ExpiredDialog = lazy(async () => ({ default: (await import('./shell/expired-dialog.tsx')).ExpiredDialog }));
/** Most people who open the console are there already. */
const CallbackPage = lazy(async () => ({ default: (await import('./shell/arrivals.tsx')).CallbackPage }));
const LinkPage = lazy(async () => ({ default: (await import('./shell/arrivals.tsx')).LinkPage }));
const JoinPage = lazy(async () => ({ default: (await import('./shell/arrivals.tsx')).JoinPage }));

function Console() {
  const state = useSession();
  const [arrival, setArrival] = useState(arrivalOf);
  const onArrived = useCallback((address: string) => {
    history.replaceState(null, '', address);
    setArrival(undefined);
  }, []);
  if (arrival === 'demo') return <LinkPage />;
  if (arrival === 'join') return <JoinPage />;
  if (arrival === 'callback') return <CallbackPage onArrived={onArrived} />;
  if (state.kind === 'signed_out') return <SignInPage />;
  return (
    <>
      <RouterProvider router={router} />
      {state.kind === 'expired' && (
        <Suspense>
          <ExpiredDialog />
        </Suspense>
      )}
      <Toasts />
    </>
  );
}

session.subscribe(() => {
  if (session.state.kind === 'signed_out') queryClient.clear();
});

/**
 * After an update of the service, a page that is open asks for files that are not there any more: it is loaded again, once. What was
 * typed is kept as a draft.
 */
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('holdfast.reloaded') ?? 0);
  if (!navigator.onLine || Date.now() - last < 30_000) return;
  event.preventDefault();
  sessionStorage.setItem('holdfast.reloaded', String(Date.now()));
  location.reload();
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
if (arrivalOf() === undefined) await session.ready;
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Suspense>
        <Console />
      </Suspense>
    </QueryClientProvider>
  </StrictMode>,
);
