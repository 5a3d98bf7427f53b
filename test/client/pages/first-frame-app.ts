/** A page that notes each frame of components which show what is known before the service has answered. */
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
  /** Tokens by name: the page signs in as one after the other. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly initial?: Initial;
}

/** What components have shown, one text for each time that they were rendered. */
export const frames: string[] = [];

const note = (id: string, text: string) => {
  frames.push(`${id}: ${text}`);
  return h('p', { id }, text);
};

/** The page of a client, and what signs in somebody else. `tokenOf` is a token, or a function that is asked for one. */
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
    // With `suspense`, nothing that is unknown is selected: this would throw.
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
