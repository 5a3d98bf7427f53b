/** A thread that evaluates flags, one request after another. Started only by flag-thread.ts. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { FlagDocument } from './document.ts';
import { evaluateFlags } from './evaluate.ts';
import { findingsOf } from './findings.ts';
import type { FlagEvaluation, FlagReply, FlagRequest, FlagThreadSetup } from './flag-messages.ts';
import { ownTimesFile, WorkNotes } from './thread-time.ts';

/** Characters of cached documents: some 40 bytes each when all flags are compiled. */
const keptCharactersMax = 384 * 1024;

const port = parentPort;
if (port === null) throw new Error('flag-worker.ts runs as a worker thread only');

const { notesBuffer, isOfLowPriority }: FlagThreadSetup = workerData;
// On Linux this sets the priority of the calling thread; elsewhere it would be that of the whole process.
if (isOfLowPriority && process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
const notes = new WorkNotes(notesBuffer);
const documents = new LRUCache<string, FlagDocument>({ maxSize: keptCharactersMax });

const onFlag = (index: number): void => {
  notes.index = index;
};

function answer(request: FlagRequest): FlagReply {
  notes.begin();
  const reply: FlagReply =
    request.kind === 'check'
      ? { kind: 'checked', findings: findingsOf(request.text, request.skipped, onFlag) }
      : evaluation(request);
  if (reply.kind !== 'unknown_document') notes.end();
  return reply;
}

function evaluation({ document: name, text, ...question }: FlagEvaluation): FlagReply {
  let document = documents.get(name);
  if (document === undefined) {
    if (text === undefined) return { kind: 'unknown_document' };
    document = new FlagDocument(text);
    documents.set(name, document, { size: document.characters });
  }
  return evaluateFlags(document, question, onFlag);
}

// An exception here ends the thread.
port.on('message', (question: FlagRequest | 'start') => {
  const reply: FlagReply = question === 'start' ? { kind: 'ready', timesFile: ownTimesFile() } : answer(question);
  port.postMessage(reply);
});
