/** A tab of a game that saves continuously. Sign-in events are counted for all tabs together. */
import { createAuth, createClient, isHoldfastError } from '@holdfast/client';

interface Page {
  readonly settings: { readonly baseUrl: string; readonly accountId: string; readonly project: string };
  readonly localStorage: { getItem(name: string): string | null; setItem(name: string, text: string): void };
  tab?: { saves: number; errors: string[]; user(): string | null };
}

const page = globalThis as unknown as Page;
const place = { ...page.settings, environment: 'production' } as const;
const auth = createAuth({ ...place, redirectUri: 'http://127.0.0.1/callback' });
const { userState } = createClient<{ userState: { n: number } }>({ ...place, auth });
const tab: NonNullable<Page['tab']> = { saves: 0, errors: [], user: () => auth.user?.id ?? null };
page.tab = tab;
await auth.ready;
auth.onChange((user) => {
  if (user === null) page.localStorage.setItem('signed out', 'yes');
});
for (;;) {
  try {
    await userState.update((draft) => ({ n: draft.n + 1 }), { initial: { n: 0 } });
    tab.saves++;
  } catch (error) {
    tab.errors.push(isHoldfastError(error) ? error.code : String(error));
  }
  await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 400));
}
