/** A page that uses every hook, for the tests. */
import { createClient, defineMutators, openQueue } from '@holdfast/client';
import {
  createHooks,
  HoldfastProvider,
  type Initial,
  usePublicState,
  useQueue,
  useSession,
  useUserState,
} from '@holdfast/client/react';
import { createElement as h, StrictMode, Suspense, useEffect, useState } from 'react';

export interface Save {
  gold: number;
  name?: string;
}

/** Number of renders of the part's component. */
export const partRenders = { count: 0 };

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

/** A component with hooks that are bound to the client. It renders when the gold changes, not when the name does. */
function partOf(client: ReturnType<typeof clientOf>) {
  const { useUserPart } = createHooks(client);
  return function Part() {
    partRenders.count++;
    const gold: number | undefined = useUserPart((save) => save?.gold);
    const bag = useUserPart((save) => ({ isRich: (save?.gold ?? 0) > 50 }));
    return h('p', { id: 'part' }, `${gold ?? 'none'}${bag.isRich ? ', rich' : ''}`);
  };
}

const mutators = defineMutators({
  dig: (draft: Save, n: number) => {
    draft.gold += n;
  },
});

/** A component with a queue. */
function queuedOf(client: ReturnType<typeof clientOf>) {
  const queue = openQueue(client.userState, mutators, { name: 'react', initial: { gold: 0 } });
  return function Queued() {
    const { state, pending, changes, run, discard } = useQueue(queue);
    const last = changes.at(-1);
    return h(
      'p',
      null,
      h('span', { id: 'queued' }, `${state === undefined ? 'loading' : (state?.gold ?? 'none')}, ${pending} waiting`),
      h('span', { id: 'line' }, changes.map(({ name, args, status }) => `${name} ${args} ${status}`).join()),
      h('button', { id: 'dig', type: 'button', onClick: () => run.dig(1) }, 'Dig'),
      h('button', { id: 'discard', type: 'button', onClick: () => last && discard(last.id) }, 'Discard'),
    );
  };
}

export function App({ client, initial }: { client: ReturnType<typeof clientOf>; initial?: Initial }) {
  const fallback = h('p', { id: 'fallback' }, 'waiting');
  const [Part] = useState(() => partOf(client));
  const [Queued] = useState(() => (initial === undefined ? queuedOf(client) : () => null));
  return h(
    StrictMode,
    null,
    h(
      HoldfastProvider,
      { client, ...(initial && { initial }) },
      h(Who),
      h(Message),
      h(Part),
      h(Queued),
      h(Suspense, { fallback }, h(Gold)),
    ),
  );
}
