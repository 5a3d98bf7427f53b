/** The pages of the console, for who is signed in. */
import { onlineManager, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { connection } from './api/connection.ts';
import { queryClient } from './api/queries.ts';
import { router } from './router.tsx';
import { useSession } from './shell/session.tsx';
import './styles/pages.css';
import './styles/state.css';
import { Toasts } from './ui/toasts.tsx';

const ExpiredDialog = lazy(async () => ({ default: (await import('./shell/expired-dialog.tsx')).ExpiredDialog }));

// What cannot be read now waits, and is read once the service answers.
onlineManager.setEventListener((setOnline) => connection.subscribe(() => setOnline(connection.isReachable)));

function Console() {
  const { kind } = useSession();
  return (
    <>
      <RouterProvider router={router} />
      {kind === 'expired' && (
        <Suspense>
          <ExpiredDialog />
        </Suspense>
      )}
      <Toasts />
    </>
  );
}

/** Shows the console. Returns what ends it and forgets what it has read. */
export function openConsole(element: HTMLElement): () => void {
  const root = createRoot(element);
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <Console />
        </Suspense>
      </QueryClientProvider>
    </StrictMode>,
  );
  return () => {
    root.unmount();
    queryClient.clear();
  };
}
