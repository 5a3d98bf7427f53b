/**
 * The writer thread: the only one that writes to the database. Whatever has arrived while it was busy becomes one
 * transaction, and is answered after its COMMIT, that is, when it is durable.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Command, Reply, Request, WriterOptions } from './commands.ts';
import { yieldToRequests } from './thread-priority.ts';
import { WriterSession } from './writer-session.ts';

/**
 * What one transaction takes at most, and one message beyond: so the first does not wait for too many others, and what is
 * held in memory at a time stays small.
 */
const commandsMax = 1_000;
const charactersMax = 4 * 1024 * 1024;
/** After so many, the length of the write-ahead log is looked at. */
const charactersUnchecked = 256 * 1024;
/** How often changes made by other processes are looked for while nothing is written. */
const pollMilliseconds = 250;
/** Between two slices of a sweep, so that it takes a small part of the thread. */
const sweepPauseMilliseconds = 10;
/** After a sweep has failed, or found nothing left to do. */
const sweepRestMilliseconds = 1_000;

const port = parentPort;
if (port === null) throw new Error('writer.ts runs as a worker thread only');
const { path, sweeps, measures } = workerData as WriterOptions;
const session = new WriterSession(path);
const post = (reply: Reply) => port.postMessage(reply);

let unchecked = 0;
port.on('message', (first: Request) => {
  const commands: Command[] = [];
  let characters = 0;
  let closing = false;
  for (let request: Request | undefined = first; request !== undefined; ) {
    if (request === null) closing = true;
    else {
      characters += request.characters;
      for (const command of request.commands) commands.push(command);
    }
    const full = commands.length >= commandsMax || characters >= charactersMax;
    request = full ? undefined : (receiveMessageOnPort(port)?.message as Request | undefined);
  }
  if (commands.length > 0) post(measures ? measured(commands) : session.commit(commands));
  if (closing) return close();
  unchecked += characters;
  if (unchecked < charactersUnchecked) return;
  unchecked = 0;
  session.checkpointWhenLong();
});

function measured(commands: readonly Command[]): Reply {
  const begun = performance.now();
  const reply = session.commit(commands);
  return { ...reply, milliseconds: performance.now() - begun };
}

const polling = setInterval(() => {
  if (session.hasChanged()) post({ changed: true });
}, pollMilliseconds);

let sweeping = sweeps ? setTimeout(sweep, sweepPauseMilliseconds) : undefined;
function sweep(): void {
  const { more, changed } = session.sweep();
  if (changed) post({ changed: true });
  sweeping = setTimeout(sweep, more ? sweepPauseMilliseconds : sweepRestMilliseconds);
}

function close(): void {
  clearInterval(polling);
  clearTimeout(sweeping);
  session.close();
  port?.close();
}

yieldToRequests();
session.open();
post({ ready: true });
