/** Documents with listeners that record snapshots. */
import type { Client, Snapshot } from '@holdfast/client';
import { expect, onTestFinished } from 'vitest';
import { startTcpProxy } from '../../tooling/proxies/tcp-proxy.ts';
import type { ClientWorld } from './world.ts';

export interface Doc {
  n: number;
  list?: number[];
}
export type Seen = Snapshot<Doc>[];

/** Listens until the test ends. */
export function listen(client: Client<{ publicState: Doc }>): Seen {
  const seen: Seen = [];
  const end = client.publicState.subscribe((snapshot) => seen.push(snapshot));
  onTestFinished(end);
  return seen;
}

/** A change that counts its calls. */
export const count = (draft: Doc) => {
  draft.n = (draft.n ?? 0) + 1;
  draft.list = [...(draft.list ?? []), draft.n].slice(-5);
};
export const versions = (seen: Seen) => seen.map(({ version }) => version);
export const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

/** Returns a `fetch` that counts change requests. */
export function counted() {
  const counts = { streams: 0, polls: 0 };
  const counting: typeof fetch = (input, init) => {
    if (String(input).includes('/changes')) {
      if (new Headers(init?.headers).get('Accept') === 'text/event-stream') counts.streams++;
      else counts.polls++;
    }
    return fetch(input, init);
  };
  return { counts, fetch: counting };
}

const arrived = (all: readonly Seen[], version: number) =>
  expect.poll(() => all.every((seen) => seen.at(-1)?.version === version)).toBe(true);

/** Cuts connections `cuts` times during `writes` writes. Four listeners must receive every version once. */
export async function cutRepeatedly(world: ClientWorld, writes: number, cuts: number): Promise<void> {
  const project = await world.newProject();
  const { port, hostname: host } = new URL(world.server.baseUrl);
  const proxy = await startTcpProxy({ host, port: Number(port) });
  onTestFinished(() => proxy.close());
  const through = { baseUrl: `http://127.0.0.1:${proxy.port}` };
  const watching = await Promise.all([
    world.clientOf<{ publicState: Doc }>(project, through),
    world.clientOf<{ publicState: Doc }>(project, through),
  ]);
  const all = [...watching, ...watching].map(listen);
  const writer = await world.clientOf<{ publicState: Doc }>(project);
  await expect.poll(() => all.every((seen) => seen.length > 0)).toBe(true);
  const every = Math.floor(writes / cuts);
  for (let n = 1; n <= writes; n++) {
    await writer.publicState.update(count);
    if (n % every === 0) proxy.cut();
    // The service sends at most 50 missed versions; a client that is further behind gets the whole document.
    if (n % every === every - 1 || n === writes) await arrived(all, n);
  }
  for (const seen of all) {
    expect(versions(seen)).toEqual([null, ...upTo(writes)]);
    expect(seen.at(-1)?.state).toEqual((await writer.publicState.get())?.state);
  }
}
