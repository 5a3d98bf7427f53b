/** A program that has listened to a document and has nothing left to do: it prints the snapshots, and must exit. */
import { type ClientOptions, createClient } from '@holdfast/client';
import { Store } from '../../../packages/client/src/react/store.ts';

const [way = '', options = ''] = process.argv.slice(2);
const client = createClient(JSON.parse(options) as ClientOptions);
const { promise, resolve } = Promise.withResolvers<number | null | undefined>();

if (way === 'close') {
  client.publicState.subscribe(({ version }) => resolve(version));
  client.flags.subscribe(() => {});
  console.log(await promise);
  client.close();
} else {
  const store = new Store<Record<string, unknown>>(client.publicState);
  const leave = store.subscribe(() => resolve(store.getSnapshot().version));
  console.log(await promise);
  // Removing a simulated page removes its timers: none of them fires.
  const { setTimeout: begin } = globalThis;
  Object.assign(globalThis, { setTimeout: (_: () => void, milliseconds: number) => begin(() => {}, milliseconds).unref() });
  leave();
}
