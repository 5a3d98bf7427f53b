/** The changes of state on the wire: as a stream of events, or as the response of a long poll. @see docs/contract.md §4.9 */
import type { ServerResponse } from 'node:http';
import { pollSecondsDefault, pollSecondsMax } from '@holdfast/contract';
import { ownState } from '../../access/authorize.ts';
import { parseFormText } from '../../common/form-parameters.ts';
import { quoted, Refusal } from '../../common/refusal.ts';
import { isHeldByMany, isStranger } from '../../limits/rate-limit.ts';
import type { WatchedDocument } from '../../state/changes/watched-document.ts';
import type { WatchedDocuments } from '../../state/changes/watched-documents.ts';
import type { PublicStateKey } from '../../storage/store.ts';
import type { UserStateKey } from '../../storage/user-state-store.ts';
import { ClientGone } from '../body.ts';
import { createTurnBound } from '../event-loop.ts';
import type { Caller, Handlers, OperationRequest } from '../operation-request.ts';
import { type AsText, emptyReply, type Reply, wireText } from '../reply.ts';
import { EventStream } from '../streams/event-delivery.ts';
import { retryFrame } from '../streams/event-frames.ts';
import { LongPoll } from '../streams/long-poll.ts';
import type { Stream, Streams } from '../streams/streams.ts';
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

/** The handlers of changes. */
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

interface Watching<Key> {
  readonly streams: Streams;
  readonly documents: WatchedDocuments<Key>;
  readonly key: Key;
  readonly random: () => number;
}

/** What the client asks for: what came after a version, all at once or as it happens. */
interface Asked {
  readonly since: number | undefined;
  readonly waitMilliseconds: number;
  readonly isStream: boolean;
}

/** All that ask meanwhile get the same answer of the store. A thousand streams that begin in one turn would take a tenth of a second. */
const begunInTurn = 32;
const inTurn = createTurnBound(begunInTurn);
/** All clients of a network can hang up at one moment. */
const closedInTurn = 32;
const closingInTurn = createTurnBound(closedInTurn);

async function watch<Key extends PublicStateKey>(request: ChangesRequest, watching: Watching<Key>): Promise<ChangesReply> {
  const asked = readAsked(request);
  const { streams, documents, key } = watching;
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
      isHeldByMany: isHeldByMany(principal),
      network: isStranger(principal) ? caller.network() : undefined,
    },
  });
  try {
    const document = await documents.document(key);
    await new Promise<void>(inTurn);
    const open: Open<Key> = { stream, document, since: asked.since, caller, watching };
    return asked.isStream ? streamReply(open) : await poll(open, asked.waitMilliseconds);
  } catch (error) {
    stream.close();
    throw error;
  }
}

interface Open<Key> {
  readonly stream: Stream;
  readonly document: WatchedDocument<Key>;
  readonly since: number | undefined;
  readonly caller: Caller;
  readonly watching: Watching<Key>;
}

/** A stream or a list of events, or that there is none. */
type ChangesReply = Reply<200, AsText> | Reply<204, undefined>;

const cachingHeaders = ['Cache-Control', 'no-store, no-transform', 'X-Accel-Buffering', 'no'];

/** Browsers connect again by themselves, after a random time for each stream. */
const retryMilliseconds = { min: 1_000, max: 5_000 };

function streamReply<Key>(open: Open<Key>): ChangesReply {
  return {
    status: 200,
    headers: [...cachingHeaders, 'Content-Type', 'text/event-stream'],
    body: { begin: (response) => beginStream(open, response), cancel: () => open.stream.close() },
    isLoggedAtEnd: true,
  };
}

function beginStream<Key>({ stream, document, since, caller, watching }: Open<Key>, response: ServerResponse): void {
  const { documents, random } = watching;
  const events = new EventStream({ response, count: (count, bytes) => stream.count(count, bytes), watch: caller.watch });
  response.flushHeaders();
  const { min, max } = retryMilliseconds;
  events.send(retryFrame(min + Math.floor(random() * (max - min))));
  const reader = document.open(since, events);
  events.onReady = () => document.ready(reader);
  stream.onBeat = () => events.beat();
  stream.onEnd = (goodbye) => events.end(goodbye);
  stream.catchUp = async () => {
    await document.look();
    document.send(reader);
  };
  response.once('close', () =>
    closingInTurn(() => {
      document.close(reader);
      documents.release(document);
      stream.close();
    }),
  );
  if (stream.goodbye !== undefined) events.end(stream.goodbye);
}

/** Earlier events are waited for, even if the client waits for no later ones. */
const behindMilliseconds = 5_000;

async function poll<Key>(open: Open<Key>, waitMilliseconds: number): Promise<ChangesReply> {
  const { stream, document, since, caller, watching } = open;
  const waits = new LongPoll(document.isBehind(since) ? Math.max(waitMilliseconds, behindMilliseconds) : waitMilliseconds);
  let isGone = false;
  caller.onGone(() => {
    isGone = true;
    waits.finish();
  });
  const reader = document.open(since, waits);
  waits.isBehind = () => document.isBehind(reader.position);
  waits.check();
  stream.onEnd = (goodbye) => waits.end(goodbye);
  if (stream.goodbye !== undefined) waits.end(stream.goodbye);
  const events = await waits.events();
  document.close(reader);
  watching.documents.release(document);
  if (isGone) throw new ClientGone('the client of a long poll left');
  const reply = pollReply(events);
  stream.count(
    events.length,
    events.reduce((sum, event) => sum + event.length, 0),
  );
  stream.close();
  return reply;
}

function pollReply(events: readonly string[]): ChangesReply {
  if (events.length === 0) return emptyReply(204, cachingHeaders);
  const body = wireText(`{"events":[${events.join(',')}]}`);
  const headers = [...cachingHeaders, 'Content-Type', 'application/json', 'Content-Length', String(body.length)];
  return { status: 200, headers, body };
}

function readAsked({ headers, query }: ChangesRequest): Asked {
  const parameters = parseFormText(query);
  const since = readVersion('query parameter since', single(parameters, 'since'));
  const lastEventId = readVersion('the header Last-Event-ID', headers['last-event-id']);
  const waitMilliseconds = readWait(single(parameters, 'wait')) * 1000;
  return { since: lastEventId ?? since, waitMilliseconds, isStream: accepts(headers.accept, 'text/event-stream') };
}

/** A version, 0 included; an empty text is none. */
function readVersion(what: string, sent: string | string[] | undefined): number | undefined {
  const text = String(sent ?? '');
  if (text === '') return undefined;
  const version = Number(text);
  if (/^(?:0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(version)) return version;
  throw new Refusal('validation_error', `${what}: ${quoted(text)} is no version; send the id of an event, or nothing`);
}

function readWait(text: string | undefined): number {
  if (text === undefined) return pollSecondsDefault;
  const seconds = /^[0-9]{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= pollSecondsMax) return seconds;
  throw new Refusal(
    'validation_error',
    `query parameter wait: ${quoted(text)} is no whole number of seconds from 0 to ${pollSecondsMax}`,
  );
}
