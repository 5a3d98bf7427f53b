/** A game with players who start as guests and sign up later. */
import { createClient, type Merged } from '@holdfast/client';

export interface Story {
  /** Outcome of linking the guest, if the login page redirected to this page. */
  readonly arrived: Promise<string | null>;
  earn(coins: number): Promise<number>;
  coins(): Promise<number | null>;
  who(): { readonly id: string | undefined; readonly isGuest: boolean };
  upgrade(): Promise<void>;
  merged(): Merged | undefined;
  /** Resolves with the status of the response. */
  deleteEverything(): Promise<number>;
}

interface Coins {
  readonly coins: number;
}

interface Page {
  readonly settings: { readonly baseUrl: string; readonly accountId: string; readonly project: string };
  readonly location: { readonly origin: string };
  game?: Story;
}

const page = globalThis as unknown as Page;
const { baseUrl, accountId, project } = page.settings;
let merged: Merged | undefined;
const { userState, auth } = createClient<{ userState: Coins }>({
  ...page.settings,
  environment: 'production',
  auth: {
    guest: true,
    redirectUri: `${page.location.origin}/game`,
    merge: (guest, existing) => ({ coins: (guest as Coins).coins + (existing as Coins).coins }),
    onMerged: (one) => {
      merged = one;
    },
  },
});
page.game = {
  arrived: auth.handleRedirect().then((signedIn) => signedIn?.link ?? null),
  async earn(coins) {
    const saved = await userState.update((draft) => ({ coins: draft.coins + coins }), { initial: { coins: 0 } });
    return saved.state.coins;
  },
  coins: async () => (await userState.get())?.state.coins ?? null,
  who: () => ({ id: auth.user?.id, isGuest: auth.isGuest }),
  upgrade: () => auth.upgrade(),
  merged: () => merged,
  async deleteEverything() {
    const headers = { Authorization: `Bearer ${await auth.accessToken()}` };
    const me = `${baseUrl}/v1/${accountId}/projects/${project}/me`;
    return (await fetch(me, { method: 'DELETE', headers })).status;
  },
};
