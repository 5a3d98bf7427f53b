/** Ends streams whose credential no longer holds, within a second of the change. */

import type { Authenticator } from '../../access/authenticate.ts';
import type { RevokedTokens } from '../../access/revoked-tokens.ts';
import type { Awaitable } from '../../common/async/awaitable.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { nextTurn } from '../../common/turns/turns.ts';
import type { AccessChange } from '../../storage/caches/access-changes.ts';
import type { Store } from '../../storage/store.ts';
import type { Stream, StreamRequest, Streams } from './streams.ts';

export interface RecheckOptions {
  readonly store: Pick<Store, 'onAccessChange'>;
  readonly revokedTokens: Pick<RevokedTokens, 'onEnded'>;
  readonly streams: Streams;
  readonly authenticate: Authenticator['authenticate'];
  /** Throws or rejects with a refusal if the principal may no longer access the stream's project. */
  readonly authorize: (request: StreamRequest) => Awaitable<void>;
  /** Called with faults other than an unavailable store. */
  readonly onFault: (error: unknown) => void;
}

/** Credentials checked concurrently. */
const checkedTogether = 16;
const retryMilliseconds = 500;
const gatheringMilliseconds = 20;

/** Listens for access changes, and checks every new stream and every stream that a change may affect. */
export function recheckStreams(options: RecheckOptions): void {
  const { store, revokedTokens, streams, authenticate, authorize, onFault } = options;
  const doubtful = new Set<Stream>();
  let isRunning = false;

  store.onAccessChange((change) => check(concerned(streams, change)));
  onEndedStreams(revokedTokens, streams, check);
  // Access may have changed after the request was checked, when the stream had no slot yet.
  streams.onOpened = (stream) => check([stream]);

  function check(changed: Iterable<Stream>): void {
    for (const stream of changed) doubtful.add(stream);
    if (isRunning || doubtful.size === 0) return;
    isRunning = true;
    // Runs after the other listeners, which clear their caches of the credential.
    nextTurn(() => void run());
  }

  async function run(): Promise<void> {
    while (doubtful.size > 0) {
      const groups = [...byCredential([...doubtful].filter(({ isClosed }) => !isClosed))];
      doubtful.clear();
      const next = groups.values();
      const results = await Promise.all(Array.from({ length: checkedTogether }, () => checkAll(next)));
      if (results.includes(false)) await new Promise((resolve) => setTimeout(resolve, retryMilliseconds).unref());
    }
    isRunning = false;
  }

  /** Returns whether the store responded to all checks. */
  async function checkAll(groups: Iterator<readonly Stream[]>): Promise<boolean> {
    let isCertain = true;
    for (let { value, done } = groups.next(); !done; { value, done } = groups.next()) {
      if (await holds(value as readonly Stream[])) continue;
      isCertain = false;
      for (const stream of value as readonly Stream[]) doubtful.add(stream);
    }
    return isCertain;
  }

  async function holds(group: readonly Stream[]): Promise<boolean> {
    const [first] = group;
    if (first === undefined) return true;
    try {
      const principal = await authenticate(first.request.authorization, [first.request.principal.kind]);
      await authorize({ ...first.request, principal });
    } catch (error) {
      if (!(error instanceof Refusal)) return false;
      await Promise.all(group.map(endRevoked));
    }
    return true;
  }

  /** If a document was deleted with its project, its readers receive that event first. */
  async function endRevoked(stream: Stream): Promise<void> {
    await stream.catchUp?.().catch(onFault);
    stream.revoke();
  }
}

/**
 * Calls `listener` with streams whose tokens have ended. An account's streams are searched once for all tokens that ended within a moment.
 */
function onEndedStreams(
  revokedTokens: RecheckOptions['revokedTokens'],
  streams: Streams,
  listener: (ended: readonly Stream[]) => void,
): void {
  /** By account, the ids of ended tokens and sessions whose streams have not been searched yet. */
  const ended = new Map<string, Set<string>>();
  const checkEnded = () => {
    const found = [...ended].flatMap(([accountId, ids]) => [...endedOf(streams.ofAccount(accountId), ids)]);
    ended.clear();
    listener(found);
  };
  revokedTokens.onEnded((tokens) => {
    if (ended.size === 0) setTimeout(checkEnded, gatheringMilliseconds).unref();
    for (const { accountId, tokenId } of tokens) {
      const ids = ended.get(accountId);
      if (ids === undefined) ended.set(accountId, new Set([tokenId]));
      else ids.add(tokenId);
    }
  });
}

/** The streams whose token or session is in `ids`. */
function* endedOf(streams: Iterable<Stream>, ids: ReadonlySet<string>): Generator<Stream, void, undefined> {
  for (const stream of streams) {
    const { principal } = stream.request;
    if (principal.kind === 'api_key') continue;
    const { credentialId, sessionId } = principal;
    if (ids.has(credentialId) || (sessionId !== undefined && ids.has(sessionId))) yield stream;
  }
}

function* concerned(streams: Streams, change: AccessChange): Generator<Stream, void, undefined> {
  if (change.kind === 'everything' || change.kind === 'signing_keys') {
    if (change.kind === 'signing_keys' && change.purpose !== 'access_token') return;
    yield* streams.all();
    return;
  }
  for (const stream of streams.ofAccount(change.accountId)) {
    const { principal, key } = stream.request;
    if (change.kind !== 'account' && change.slug !== null && change.slug !== key.slug) continue;
    if (change.kind === 'player' && !(principal.kind === 'end_user' && principal.playerMark === change.player)) continue;
    if (change.kind === 'api_key' && !(principal.kind === 'api_key' && principal.keyId === change.keyId)) continue;
    yield stream;
  }
}

/** Groups streams with the same credential and project, which are checked together. */
function byCredential(streams: Iterable<Stream>): Iterable<readonly Stream[]> {
  return Map.groupBy(streams, ({ request: { authorization, key } }) => `${key.slug} ${authorization}`).values();
}
