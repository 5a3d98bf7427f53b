/** A thread that evaluates flags, one request after the other. Started by flag-threads.ts only. */
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { type CompiledDocument, compileDocument } from './compile.ts';
import { evaluateFlags } from './evaluate.ts';
import type { FlagReply, FlagRequest } from './flag-messages.ts';
import { ownTimesFile, WorkNotes } from './thread-time.ts';

/** Characters of the documents that are kept compiled: some 20 bytes each, of the 128 MiB that the thread has. */
const keptCharactersMax = 2 * 1024 * 1024;
/** A text of more items is no name of a variant, and a list in a list could take minutes to become a text. */
const joinedItemsMax = 1_000;

const port = parentPort;
if (port === null) throw new Error('flag-worker.ts runs as a worker thread only');

// The rule engine turns lists into texts by this, and nothing could stop it on its way.
Array.prototype.toString = function (this: unknown[]): string {
  if (this.length > joinedItemsMax || this.some(Array.isArray)) throw new TypeError('a list is no name of a variant');
  return this.join(',');
};

const notes = new WorkNotes(workerData as SharedArrayBuffer);
const documents = new LRUCache<string, CompiledDocument>({ maxSize: keptCharactersMax });

function answer({ document: name, text, ...question }: FlagRequest): FlagReply {
  notes.begin();
  let document = documents.get(name);
  if (document === undefined) {
    if (text === undefined) return { kind: 'unknown_document' };
    document = compileDocument(text);
    documents.set(name, document, { size: Math.max(text.length, 1) });
  }
  return evaluateFlags(document, question, (place) => {
    notes.place = place;
  });
}

// What is thrown here ends the thread.
port.on('message', (request: FlagRequest) => port.postMessage(answer(request) satisfies FlagReply));
port.postMessage({ kind: 'ready', timesFile: ownTimesFile() } satisfies FlagReply);
