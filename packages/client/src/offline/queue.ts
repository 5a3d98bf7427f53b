import type { Auth } from '../auth/auth.ts';
import type { Subscribable } from '../client-types.ts';
import { type Change, type Internals, internals } from '../documents/document.ts';
import { HoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import { backoff, copyOf, runtime } from '../runtime.ts';
import { type Lines, openLines } from './lines.ts';
import { checkMutators, type Mutators, mutatorFor, versionOf } from './mutators.ts';
import { listOf, watchList } from './queue-list.ts';
import type { Queue, Queued, QueueOptions } from './queue-types.ts';
import { type Watched, watchWaiting } from './queue-view.ts';
import { type Settled, storedOutcome } from './settled.ts';
import type { Entry } from './stored.ts';

/**
 * Opens the queue of a document. Each change is stored before it is sent and removed after the response, so it is applied exactly once and
 * in order, even across reloads, crashes and tabs. All waiting changes are sent as one patch. A change belongs to its player, and waits
 * until that player is signed in. Throws `invalid_request` for a value that is not a mutator.
 */
export function openQueue<State, Defined extends Mutators<State>>(
  target: Internals<State> & Partial<Subscribable<State>>,
  mutators: Defined,
  options: QueueOptions<State>,
): Queue<State, Defined> {
  checkMutators(mutators);
  const { initial } = options;
  const { auth, defaults, call } = target[internals];
  const changeOf = (entry: Entry): Change<State> | undefined => {
    const found = mutatorFor(mutators, entry);
    return found && ((draft) => found(draft, ...(entry.args as never[])));
  };
  const lines = openLines(target, changeOf, options);
  const { begin, flush, close } = sending(lines, auth, changeOf, options.onSettled);

  const add = async (name: string, args: readonly unknown[]): Promise<Queued> => {
    const line = await lines.mine();
    if (line === undefined) throw new HoldfastError('signed_out', 'nobody is signed in whose change this could be');
    const id = await line.waiting.add(name, args, versionOf(mutators[name]));
    const settled = line.outcomes.ask({ id, name, args });
    begin();
    return { id, settled };
  };
  const discard = async (id: number): Promise<boolean> => {
    const line = await lines.mine();
    const change = line && (await listOf(line.waiting)).find((each) => each.id === id);
    if (line === undefined || change === undefined) return false;
    const settled: Settled = { id, name: change.name, args: change.args, outcome: 'discarded' };
    const isDiscarded = await line.waiting.discard(id, storedOutcome([settled]));
    if (isDiscarded) line.outcomes.tell(settled);
    return isDiscarded;
  };
  const waitingNow = async (): Promise<readonly Entry[]> => (await (await lines.mine())?.waiting.read()) ?? [];
  const list = async () => {
    const line = await lines.mine();
    return line === undefined ? [] : listOf(line.waiting);
  };
  const listKnown = async () => listOf((await lines.known()).waiting);
  const preview = (state: State, entries: readonly Entry[]) => previewOf(state, entries.map(changeOf));
  const watched: Watched<State> = {
    auth,
    defaults,
    waiting: async () => (await lines.known()).waiting,
    onChange: lines.onChange,
    preview: async (state, entries) =>
      state === null && entries.length === 0 ? null : preview(state ?? initial ?? ({} as State), entries),
    flush,
    read: () => call({}, async (document, limits) => (await document.read(limits, { isFresh: true }))?.version ?? 0),
  };
  return {
    run: Object.fromEntries(
      Object.keys(mutators).map((mutator) => [mutator, (...args: unknown[]) => add(mutator, args)]),
    ) as unknown as Queue<State, Defined>['run'],
    pending: async () => (await waitingNow()).length,
    list,
    watch: (listener, more) => watchList({ auth, list: listKnown, onChange: lines.onChange }, listener, more),
    discard,
    flush,
    preview: async (state) => preview(state, await waitingNow()),
    subscribe: (listener, more) => watchWaiting(target, watched, listener, more),
    close,
  };
}

/** Sends the current user's waiting changes: immediately, when back online, and after a delay if that failed. */
function sending<State>(
  lines: Lines<State>,
  auth: Auth,
  changeOf: (entry: Entry) => Change<State> | undefined,
  onSettled: QueueOptions<State>['onSettled'],
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const again = (failures: number): void => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(begin, backoff(failures, 1_000, 60_000));
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    const line = await lines.mine();
    if (line === undefined) return;
    const tell = (settled: Settled): void => {
      line.outcomes.tell(settled);
      tellAll([onSettled], settled);
    };
    await line.sender.flush(() => isClosed, tell, again);
    await line.outcomes.look();
  };
  const begin = (): void => void (isClosed || flush().catch(() => {}));
  /** Another tab has sent changes, or set aside changes that this tab can make. */
  const look = async (): Promise<void> => {
    const { outcomes, waiting } = await lines.known();
    await outcomes.look();
    if ((await waiting.readAside()).some((entry) => changeOf(entry) !== undefined)) begin();
  };
  const endings = [auth.onChange(begin), lines.onChange(() => void (isClosed || look().catch(() => {})))];
  runtime.addEventListener?.('online', begin);
  begin();
  return {
    begin,
    flush,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      lines.close();
      for (const end of endings) end();
      runtime.removeEventListener?.('online', begin);
    },
  };
}

/** The state after changes. Changes without a mutator, or refused by it, are left out: the service will not see them either. */
async function previewOf<State>(state: State, changes: readonly (Change<State> | undefined)[]): Promise<State> {
  let next = state;
  for (const change of changes) {
    const draft = copyOf(next);
    try {
      next = ((await change?.(draft)) as State | undefined) ?? draft;
    } catch {
      // The queue reports it in its turn.
    }
  }
  return next;
}
