/** A page that uses the hooks in every way, for the tests. */
import { createClient } from '@holdfast/client';
import { HoldfastProvider, type Initial, usePublicState, useSession, useUserState } from '@holdfast/client/react';
import { createElement as h, StrictMode, Suspense, useEffect, useState } from 'react';

export interface Save {
  gold: number;
}

export interface Settings {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly accessToken: string;
  readonly fetch?: typeof fetch;
}

export const clientOf = (settings: Settings) =>
  createClient<{ publicState: { motd: string }; userState: Save }>({
    ...settings,
    environment: 'production',
    auth: { accessToken: settings.accessToken },
  });

function Message() {
  const { state } = usePublicState<{ motd: string }>();
  return h('p', { id: 'message' }, state === undefined ? 'loading' : (state?.motd ?? 'none'));
}

function Gold() {
  const { state, version, isSaving, update } = useUserState<Save>({ suspense: true });
  const [failure, setFailure] = useState('');
  const add = () =>
    update(
      (draft) => {
        draft.gold += 5;
      },
      { initial: { gold: 0 } },
    ).catch((error: { code: string }) => setFailure(error.code));
  return h(
    'div',
    null,
    h('p', { id: 'gold' }, `${state?.gold ?? 'none'}, version ${version ?? 'none'}${isSaving ? ', saving' : ''}`),
    h('p', { id: 'failure' }, failure),
    h('button', { id: 'add', type: 'button', onClick: add }, 'Add'),
  );
}

function Who() {
  const { user, isLoading } = useSession();
  const [, redraw] = useState(0);
  useEffect(() => redraw(1), []);
  return h('p', { id: 'who' }, isLoading ? 'loading' : (user?.id ?? 'nobody'));
}

export function App({ client, initial }: { client: ReturnType<typeof clientOf>; initial?: Initial }) {
  const fallback = h('p', { id: 'fallback' }, 'waiting');
  return h(
    StrictMode,
    null,
    h(HoldfastProvider, { client, ...(initial && { initial }) }, h(Who), h(Message), h(Suspense, { fallback }, h(Gold))),
  );
}
