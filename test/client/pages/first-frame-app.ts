/** A page that records each render of components that show state before the first response. */
import { createClient, offlineCache } from '@holdfast/client';
import { createHooks, HoldfastProvider, type Initial } from '@holdfast/client/react';
import { createElement as h, StrictMode, Suspense } from 'react';

interface Documents {
  publicState: { motd: string; price: number };
  userState: { gold: number };
}

export interface FirstFrameSettings {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly publishableKey: string;
  /** Tokens by user name: the page signs in with them in turn. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly initial?: Initial;
}

/** Text of each component render. */
export const frames: string[] = [];

const note = (id: string, text: string) => {
  frames.push(`${id}: ${text}`);
  return h('p', { id }, text);
};

/** The page of a client, with a function that signs in another user. `accessToken` is a token, or returns one. */
export function firstFrame(settings: FirstFrameSettings, accessToken: string | (() => string), given = fetch) {
  const { tokens: _, initial, ...place } = settings;
  const client = createClient<Documents>({
    ...place,
    environment: 'production',
    auth: { accessToken },
    cache: offlineCache(),
    defaults: { publicState: { motd: 'welcome', price: 5 } },
    fetch: given,
  });
  const { usePublicState, usePublicPart, useUserState, useUserPart } = createHooks(client);

  function Motd() {
    const { state, stale } = usePublicState({ suspense: true });
    return note('motd', `${state.motd}${stale ? '?' : ''}`);
  }
  function Price() {
    return note('price', `${usePublicPart((config) => config.price, { suspense: true })}`);
  }
  function Gold() {
    const { state, stale } = useUserState({ suspense: true });
    return note('gold', `${state?.gold ?? 'none'}${stale ? '?' : ''}`);
  }
  function Rich() {
    // With `suspense`, the selector never runs on unknown state: it would throw.
    const isRich = useUserPart((save) => (save === null ? 'empty' : `${save.gold > 50}`), { suspense: true });
    return note('rich', isRich);
  }
  const fallback = h(() => note('fallback', 'waiting'));
  const app = h(
    StrictMode,
    null,
    h(HoldfastProvider, { ...(initial && { initial }) }, [
      h(Suspense, { key: 'config', fallback }, h(Motd), h(Price)),
      h(Suspense, { key: 'save', fallback }, h(Gold), h(Rich)),
    ]),
  );
  return { client, app };
}
