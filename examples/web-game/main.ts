import { createClient, defineMutators, offlineCache, openQueue } from '@holdfast/client';

type Config = { title: string; goldPerDig: number; color: string };
type Save = { gold: number; digs: number };

const env = import.meta.env;
const { publicState, userState, auth } = createClient<{ publicState: Config; userState: Save }>({
  baseUrl: env.VITE_HOLDFAST_URL,
  accountId: env.VITE_HOLDFAST_ACCOUNT_ID,
  project: env.VITE_HOLDFAST_PROJECT,
  environment: env.VITE_HOLDFAST_ENVIRONMENT,
  publishableKey: env.VITE_HOLDFAST_KEY,
  auth: { redirectUri: `${location.origin}/` },
  cache: offlineCache(),
});
const mutators = defineMutators({
  dig: (save: Save, gold: number) => ({ gold: save.gold + gold, digs: save.digs + 1 }),
});
const page = (id: string) => document.getElementById(id) as HTMLElement;
let goldPerDig = 1;
publicState.subscribe(({ state }) => {
  if (state === null) return;
  goldPerDig = state.goldPerDig;
  page('title').textContent = state.title;
  page('reward').textContent = `+${goldPerDig}`;
  document.body.style.setProperty('--accent', state.color);
});

await auth.handleRedirect().catch((error: Error) => alert(error.message));
auth.onChange(() => location.reload());
page('sign-in').onclick = () => auth.signIn();
page('sign-out').onclick = () => auth.signOut();
document.body.dataset.screen = auth.user ? 'game' : 'welcome';
if (auth.user) {
  page('player').textContent = auth.user.email ?? 'Player';
  const queue = openQueue(userState, mutators, { name: auth.user.id, initial: { gold: 0, digs: 0 } });
  queue.subscribe(({ state, pending }) => {
    page('gold').textContent = String(state?.gold ?? 0);
    page('digs').textContent = String(state?.digs ?? 0);
    page('saved').textContent = pending > 0 ? `${pending} to be saved` : 'All saved';
  });
  page('dig').onclick = () => queue.run.dig(goldPerDig);
}
