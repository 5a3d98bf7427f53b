/** Wires up change streams: the watched documents, the open streams, and what ends them. */
import { nextTurn } from '../common/turns/turns.ts';
import { changeHandlers } from '../http/routes/changes.ts';
import { createOpenStreamCounts, type OpenStreamCounts } from '../http/streams/open-streams.ts';
import { recheckStreams } from '../http/streams/recheck-streams.ts';
import { streamsWithin } from '../http/streams/slots.ts';
import { Streams } from '../http/streams/streams.ts';
import { StreamCounts } from '../observe/stream-counts.ts';
import { publicSource, type Source, userSource } from '../state/changes/source.ts';
import { createShared, WatchedDocuments } from '../state/changes/watched-documents.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import type { Access } from './access.ts';
import type { Part, Wiring } from './wiring.ts';

interface ChangeStreamsWiring extends Wiring {
  readonly access: Pick<Access, 'authenticator' | 'authorizer' | 'revokedTokens'>;
  readonly evaluator: Evaluator;
}

export interface ChangeStreams extends Part {
  /** Receives announcements of writes. */
  readonly publicDocuments: WatchedDocuments<PublicStateKey>;
  readonly userDocuments: WatchedDocuments<UserStateKey>;
  /** The open streams on all nodes. */
  readonly openStreams: Pick<OpenStreamCounts, 'ofAccount'>;
  /** Ends all streams. */
  stop(): Promise<void>;
}

/** Returns the change streams of a node, and what watches documents and access changes for them. When closed, running queries end first. */
export function createChangeStreams(wiring: ChangeStreamsWiring): ChangeStreams {
  const { store, config, isShared, log, observation, access, evaluator, now, disposal } = wiring;
  const { authenticator, authorizer, revokedTokens } = access;
  const { background } = observation;
  const onFault = (error: unknown) => background.onBackgroundFailure('change_streams', error);
  const shared = createShared(nextTurn);
  const documentsOf = <Key extends ProjectKey>(source: Source<Key>) =>
    new WatchedDocuments<Key>(
      {
        source,
        onFault,
        onRecovery: () => background.onBackgroundRecovery('change_streams'),
        compare: (key, fromText, toText) => evaluator.compare(source.ownerOf(key), fromText, toText),
      },
      shared,
    );
  const publicDocuments = documentsOf(publicSource(store, isShared));
  const userDocuments = documentsOf(userSource(store, isShared));
  const counts = new StreamCounts();
  observation.metrics?.watchStreams(counts);
  const streams = new Streams({
    streamsMax: streamsWithin(config.connectionsMax, config.streamsMax),
    now,
    log,
    counts,
    random: Math.random,
    isLogged: config.logRequests === 'all',
  });
  recheckStreams({
    store,
    revokedTokens,
    streams,
    onFault,
    authenticate: authenticator.authenticate,
    authorize: ({ principal, key }) => authorizer.authorizeReader(principal, key),
  });
  const openStreams = createOpenStreamCounts({ streams, store, isShared, now, onFault });
  disposal.add('the change streams', async () => {
    openStreams.close();
    await Promise.all([publicDocuments.close(), userDocuments.close()]);
  });
  return {
    openStreams,
    handlers: changeHandlers({ streams, publicDocuments, userDocuments, random: Math.random }),
    publicDocuments,
    userDocuments,
    stop: () => streams.stop(),
  };
}
