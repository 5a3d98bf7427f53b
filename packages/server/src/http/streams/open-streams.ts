/** Counts open change streams by project, on all nodes. Nodes exchange their counts through the store. */
import type { OpenStreams } from '../../storage/contract/usage.ts';
import type { Store } from '../../storage/store.ts';
import type { Stream, Streams } from './streams.ts';

const sendMilliseconds = 15_000;
/** Counts remain valid this long, so a node that misses one turn, or whose clock is behind, is still counted. */
const holdsMilliseconds = 40_000;
/** Projects in one store command. */
const sentAtOnce = 500;

export interface OpenStreamCountsOptions {
  readonly streams: Pick<Streams, 'all' | 'ofAccount'>;
  readonly store: Pick<Store, 'publishOpenStreams' | 'readOpenStreams'>;
  /** Whether other processes serve too. */
  readonly isShared: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called if the store did not accept the counts. */
  readonly onFault: (error: unknown) => void;
}

export interface OpenStreamCounts {
  /** The open streams in an account's projects: current for this node, some seconds old for others. */
  ofAccount(accountId: string): Promise<readonly OpenStreams[]>;
  /** Stops sending counts. */
  close(): void;
}

/** Returns a node's counts, and starts to report them to the other nodes. */
export function createOpenStreamCounts({
  streams,
  store,
  isShared,
  now,
  onFault,
}: OpenStreamCountsOptions): OpenStreamCounts {
  /** The counts last sent. */
  let sent: readonly OpenStreams[] = [];

  async function send(): Promise<void> {
    const open = countedOf(streams.all());
    const gone = sent.filter((each) => !open.has(nameOf(each))).map(ended);
    sent = [...open.values()];
    const all = sent.concat(gone);
    for (let i = 0; i < all.length; i += sentAtOnce) {
      await store.publishOpenStreams(all.slice(i, i + sentAtOnce), now() + holdsMilliseconds);
    }
  }

  const timer = isShared ? setInterval(() => void send().catch(onFault), sendMilliseconds).unref() : undefined;
  return {
    async ofAccount(accountId) {
      const open = countedOf(streams.ofAccount(accountId));
      for (const other of await store.readOpenStreams(accountId, now())) add(open, other);
      return [...open.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
    },
    close: () => clearInterval(timer),
  };
}

const nameOf = ({ accountId, slug }: Pick<OpenStreams, 'accountId' | 'slug'>): string => `${accountId}/${slug}`;

const ended = ({ accountId, slug }: OpenStreams): OpenStreams => ({ accountId, slug, publicStreams: 0, userStreams: 0 });

function countedOf(streams: Iterable<Stream>): Map<string, OpenStreams> {
  const open = new Map<string, OpenStreams>();
  for (const { request } of streams) {
    const isUser = request.kind.startsWith('user_');
    const { accountId, slug } = request.key;
    add(open, { accountId, slug, publicStreams: isUser ? 0 : 1, userStreams: isUser ? 1 : 0 });
  }
  return open;
}

function add(open: Map<string, OpenStreams>, more: OpenStreams): void {
  const name = nameOf(more);
  const { publicStreams = 0, userStreams = 0 } = open.get(name) ?? {};
  open.set(name, {
    accountId: more.accountId,
    slug: more.slug,
    publicStreams: publicStreams + more.publicStreams,
    userStreams: userStreams + more.userStreams,
  });
}
