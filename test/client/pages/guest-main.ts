/** A guest's game in a browser. */
import { createClient } from '@holdfast/client';

interface Page {
  readonly settings: { readonly baseUrl: string; readonly accountId: string; readonly project: string };
  game?: { play(): Promise<{ id: string | undefined; coins: number }> };
}

const page = globalThis as unknown as Page;
const client = createClient<{ userState: { coins: number } }>({
  ...page.settings,
  environment: 'production',
  auth: { guest: true },
});
page.game = {
  async play() {
    const saved = await client.userState.update((draft) => ({ coins: draft.coins + 1 }), { initial: { coins: 0 } });
    return { id: client.auth.user?.id, coins: saved.state.coins };
  },
};
