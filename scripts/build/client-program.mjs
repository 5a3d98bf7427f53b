/**
 * The program that `scripts/releases/try-client.ts` runs in each runtime: state, changes, the queue and failures of `@holdfast/client`
 * against a real service. Rejects with the first fault.
 */
import {
  browserStorage,
  createClient,
  defineMutators,
  indexedDbStorage,
  isHoldfastError,
  memoryStorage,
  offlineCache,
  openQueue,
} from '@holdfast/client';

const equal = (found, expected, what) => {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`);
};

/** Waits until a condition holds, for at most half a minute. */
async function until(what, isSo) {
  const end = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Five clients that write one document, and a listener that receives each version once and in order. */
async function tryState(options) {
  const watching = createClient(options).publicState;
  const begun = (await watching.get())?.version ?? 0;
  const versions = [];
  const end = watching.subscribe(({ version }) => versions.push(version ?? 0));
  await until('the first version', () => versions.length > 0);
  const clients = Array.from({ length: 5 }, () => createClient(options).publicState);
  const before = (await watching.get())?.state.counted ?? 0;
  const count = async (each) => {
    for (let n = 0; n < 8; n++) await each.update((draft) => ({ ...draft, counted: (draft.counted ?? 0) + 1 }));
  };
  await Promise.all(clients.map(count));
  await until('the last version', () => versions.at(-1) === begun + 40);
  end();
  equal((await watching.get()).state.counted - before, 40, 'the sum of five clients');
  equal(
    versions,
    Array.from({ length: 41 }, (_, n) => begun + n),
    'the versions that the listener saw',
  );
  const refused = await watching.put({}, { ifVersion: null }).catch((error) => error);
  equal([isHoldfastError(refused, 'version_conflict'), refused.status], [true, 412], 'a write that comes too late');
}

/** Changes in two queues on one storage, offline at first. */
async function tryQueue(options, storage) {
  const network = { isDown: true };
  const reach = (input, init) => (network.isDown ? Promise.reject(new TypeError('no network')) : fetch(input, init));
  const { publicState } = createClient({ ...options, fetch: reach, cache: offlineCache({ storage }) });
  const mutators = defineMutators({ add: (draft, n) => ({ ...draft, queued: (draft.queued ?? 0) + n }) });
  const before = (await createClient(options).publicState.get())?.state.queued ?? 0;
  const name = `try ${Math.random()}`;
  const queues = [1, 2].map(() => openQueue(publicState, mutators, { name, storage }));
  for (let n = 0; n < 5; n++) for (const queue of queues) await queue.run.add(1);
  equal(await queues[0].pending(), 10, 'what waits');
  network.isDown = false;
  await queues[1].flush();
  await until('the queue being empty', async () => (await queues[0].pending()) === 0);
  for (const queue of queues) queue.close();
  equal((await publicState.get()).state.queued - before, 10, 'what was queued');
}

/** Flags that change while a listener is subscribed. */
async function tryFlags(options) {
  const { publicState, flags } = createClient(options);
  const flagOf = (defaultVariant) => ({ state: 'ENABLED', variants: { on: true, off: false }, defaultVariant });
  const set = (variant) => publicState.update((draft) => ({ ...draft, flags: { tried: flagOf(variant) } }));
  await set('off');
  const told = [];
  const end = flags.subscribe((values) => told.push(values.value('tried', false)), { spreadMs: 20 });
  await until('the first flags', () => told.length > 0);
  await set('on');
  await until('the changed flags', () => told.at(-1) === true);
  end();
  equal((await flags.evaluate()).value('tried', false), true, 'flags that are asked for once');
}

/** Tries everything that this runtime supports. Returns what it tried. */
export async function tryClient(options) {
  await tryState(options);
  await tryFlags(options);
  await tryQueue(options, memoryStorage());
  const tried = ['state', 'changes', 'flags', 'queue in memory'];
  if (globalThis.localStorage !== undefined && globalThis.document !== undefined) {
    await tryQueue(options, browserStorage());
    tried.push('queue in localStorage');
  }
  if (globalThis.indexedDB !== undefined) {
    await tryQueue(options, indexedDbStorage());
    tried.push('queue in IndexedDB');
  }
  return tried;
}
