/** The pages of the console, for signed-in users. */
import { onlineManager, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { connection } from './api/connection.ts';
import { queryClient } from './api/queries.ts';
import { useSession } from './api/signed-in.ts';
import { router } from './router.tsx';
import { withTexts } from './texts/index.ts';
import { Toasts } from './ui/toasts.tsx';

const ExpiredDialog = lazy(async () => ({
  default: (await withTexts(import('./shell/expired-dialog.tsx'))).ExpiredDialog,
}));

// Reads that fail now wait until the service responds.
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

/** Shows the console. Returns a function that removes it and forgets its data. */
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
