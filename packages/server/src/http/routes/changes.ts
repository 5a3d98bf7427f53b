/** State changes on the wire: as an event stream, or as the response to a long poll. @see docs/contract.md §4.9 */

import { ownState } from '../../access/authorize.ts';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { quoted } from '../../common/text/quoted.ts';
import { createTurnBound } from '../../common/turns/turn-bound.ts';
import { isSharedCredential, isStranger } from '../../limits/limits.ts';
import type { WatchedDocuments } from '../../state/changes/watched-documents.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { PublicStateKey } from '../../storage/contract/public-states.ts';
import type { UserStateKey } from '../../storage/contract/user-states.ts';
import type { Handlers, OperationRequest } from '../operation-request.ts';
import type { AsText, Reply } from '../replies/reply.ts';
import { streamReply } from '../streams/event-stream.ts';
import { pollReply, readWait } from '../streams/long-poll.ts';
import type { Streams } from '../streams/streams.ts';
import { accepts } from '../wire/accepts.ts';
import { single } from '../wire/page.ts';

export interface ChangeHandlersOptions {
  readonly streams: Streams;
  readonly publicDocuments: WatchedDocuments<PublicStateKey>;
  readonly userDocuments: WatchedDocuments<UserStateKey>;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
}

type ChangesRequest = OperationRequest<'readPublicStateChanges'> | OperationRequest<'readUserStateChanges'>;

/** Returns the handlers of changes. */
export function changeHandlers({ streams, publicDocuments, userDocuments, random }: ChangeHandlersOptions): Handlers {
  return {
    readPublicStateChanges: (request) =>
      watch(request, { streams, documents: publicDocuments, key: request.params, random }),
    readUserStateChanges: (request) => {
      const key = ownState(request.params, request.principal);
      return watch(request, { streams, documents: userDocuments, key, random });
    },
  };
}

interface Watching<Key extends ProjectKey> {
  readonly streams: Streams;
  readonly documents: WatchedDocuments<Key>;
  readonly key: Key;
  readonly random: () => number;
}

/** The client's request: changes after a version, in one response or as they happen. */
interface Asked {
  readonly since: number | undefined;
  readonly waitMilliseconds: number;
  readonly isStream: boolean;
}

/** Requests that arrive during a store call share its result. Starting a thousand streams in one turn would take 100 ms. */
const startedPerTurn = 32;
const inTurn = createTurnBound(startedPerTurn);
/** A stream, a list of events, or no content. */
type ChangesReply = Reply<200, AsText> | Reply<204, undefined>;

async function watch<Key extends PublicStateKey>(request: ChangesRequest, watching: Watching<Key>): Promise<ChangesReply> {
  const asked = readAsked(request);
  const { streams, documents, key, random } = watching;
  const { caller, principal } = request;
  const isUser = principal.kind === 'end_user';
  const stream = streams.open({
    kind: isUser ? (asked.isStream ? 'user_stream' : 'user_poll') : asked.isStream ? 'public_stream' : 'public_poll',
    operation: isUser ? 'readUserStateChanges' : 'readPublicStateChanges',
    requestId: caller.requestId,
    principal,
    authorization: caller.authorization ?? '',
    key,
    holder: {
      ...caller.owner,
      isSharedCredential: isSharedCredential(principal),
      network: isStranger(principal) ? caller.network() : undefined,
    },
  });
  try {
    const document = await documents.document(key);
    await new Promise<void>(inTurn);
    const opened = { stream, document, since: asked.since, caller, release: () => documents.release(document) };
    return asked.isStream ? streamReply(opened, random) : await pollReply(opened, asked.waitMilliseconds);
  } catch (error) {
    stream.close();
    throw error;
  }
}

function readAsked({ headers, query }: ChangesRequest): Asked {
  const parameters = parseFormText(query);
  const since = readVersion('query parameter since', single(parameters, 'since'));
  const lastEventId = readVersion('the header Last-Event-ID', headers['last-event-id']);
  const waitMilliseconds = readWait(single(parameters, 'wait')) * 1000;
  return { since: lastEventId ?? since, waitMilliseconds, isStream: accepts(headers.accept, 'text/event-stream') };
}

/** Reads a version, which may be 0; an empty string counts as missing. */
function readVersion(what: string, sent: string | string[] | undefined): number | undefined {
  const text = String(sent ?? '');
  if (text === '') return undefined;
  const version = Number(text);
  if (/^(?:0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(version)) return version;
  throw new Refusal(
    'validation_error',
    `${what}: ${quoted(text)} is not a version; send the id of an event, or leave it out`,
  );
}
