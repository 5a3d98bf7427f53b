/**
 * The writer thread, the only one that writes to the database. Everything that arrives while it is busy becomes one transaction. It replies
 * after the COMMIT, when the writes are durable.
 */

import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { releaseStartupMemory } from '../../../common/program/startup-memory.ts';
import type { BackgroundObserver } from '../../contract/store-observer.ts';
import { BackgroundWork } from '../../sql/upkeep/background-work.ts';
import { writeMark } from '../directory/mark.ts';
import { toFailure } from '../faults.ts';
import type { Command, Reply, Request, WriterOptions } from './commands.ts';
import { WriterSession } from './writer-session.ts';

/**
 * The maximum size of one transaction, plus one message: the first write then does not wait for too many later writes, and memory use stays
 * low.
 */
const commandsMax = 1_000;
const charactersMax = 4 * 1024 * 1024;
/**
 * After this many characters the length of the write-ahead log is checked, an eighth of what the log may hold. A command writes whole
 * pages, however small it is.
 */
const charactersUnseen = 1024 * 1024;
const charactersOfCommand = 16 * 1024;
/** How often the thread looks for changes by other processes while nothing is written. */
const pollMilliseconds = 250;
/** Changes must be reported within a second, even while polling fails: everything then counts as changed. */
const pollBackoff = { firstMilliseconds: pollMilliseconds, maxMilliseconds: 800 };
/** The pause between two slices of a sweep, so that it uses a small part of the thread's time. */
const sweepPauseMilliseconds = 10;
/** The pause after a sweep has found nothing left to do. */
const sweepIdleMilliseconds = 1_000;
/** The pauses after something could not be swept. */
const sweepBackoff = { firstMilliseconds: sweepIdleMilliseconds, maxMilliseconds: 60_000 };
/** The pauses after the write-ahead log could not be copied into the database. They are short because the log keeps growing. */
const checkpointBackoff = { firstMilliseconds: 100, maxMilliseconds: 1_000 };
/** How many `nice` steps the thread is placed behind the request threads. */
const stepsBehind = 5;

const port = parentPort;
if (port === null) throw new Error('writer.ts runs as a worker thread only');
const { path, sweeps: isSweeper, measures, quotas } = workerData as WriterOptions;
const session = new WriterSession(path, quotas);
const post = (reply: Reply) => port.postMessage(reply);
const observer: BackgroundObserver = {
  onBackgroundFailure: (task, error) => post({ background: { task, failure: toFailure(error) } }),
  onBackgroundRecovery: (task) => post({ background: { task } }),
};

let unseen = 0;
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
  markSoon();
  unseen += characters + commands.length * charactersOfCommand;
  if (unseen >= charactersUnseen) boundLog();
});

function measured(commands: readonly Command[]): Reply {
  const begun = performance.now();
  const reply = session.commit(commands);
  return { ...reply, milliseconds: performance.now() - begun };
}

const checkpoints = new BackgroundWork('checkpoint', observer, checkpointBackoff);
let copying: NodeJS.Timeout | undefined;
/** Checks the write-ahead log even during the pause after a failure: commits can add 8 MiB in a tenth of a second. */
function boundLog(): void {
  unseen = 0;
  if (session.checkLogLength() && copying === undefined) copyLog();
}

function copyLog(): void {
  copying = undefined;
  try {
    session.copyLog();
    checkpoints.succeed();
  } catch (error) {
    copying = setTimeout(copyLog, checkpoints.fail(error));
  }
}

const polls = new BackgroundWork('changes', observer, pollBackoff);
let polling = setTimeout(poll, pollMilliseconds);
function poll(): void {
  let pause = pollMilliseconds;
  try {
    if (session.hasChanged()) post({ changed: true });
    polls.succeed();
  } catch (error) {
    post({ changed: true });
    pause = polls.fail(error);
  }
  polling = setTimeout(poll, pause);
}

const sweeps = new BackgroundWork('sweep', observer, sweepBackoff);
let sweeping = isSweeper ? setTimeout(sweep, sweepPauseMilliseconds) : undefined;
function sweep(): void {
  let pause: number;
  try {
    const { hasMore, hasChanged, isStuck } = session.sweep();
    if (hasChanged) post({ changed: true });
    if (!isStuck) sweeps.succeed();
    pause = hasMore ? sweepPauseMilliseconds : sweepIdleMilliseconds;
    if (hasMore) boundLog();
  } catch (error) {
    pause = sweeps.fail(error);
  }
  sweeping = setTimeout(sweep, pause);
}

/** How soon the mark follows a write after a pause, and how often it is written during continuous writes. */
const markMilliseconds = { afterPause: 100, between: 5_000 };
const marks = new BackgroundWork('heartbeat', observer, { firstMilliseconds: 1_000, maxMilliseconds: 60_000 });
let marking: NodeJS.Timeout | undefined;
let markedAt = Number.NEGATIVE_INFINITY;
function markSoon(): void {
  if (!isSweeper || marking !== undefined || !session.hasUnmarked) return;
  const pause = Math.max(markMilliseconds.afterPause, markedAt + markMilliseconds.between - performance.now());
  marking = setTimeout(mark, pause);
}

function mark(): void {
  marking = undefined;
  try {
    const made = session.mark();
    markedAt = performance.now();
    if (made !== undefined) writeMark(dirname(path), made);
    marks.succeed();
  } catch (error) {
    marking = setTimeout(mark, marks.fail(error));
  }
}

function close(): void {
  clearTimeout(marking);
  if (isSweeper && session.hasUnmarked) mark();
  clearTimeout(marking);
  clearTimeout(polling);
  clearTimeout(sweeping);
  clearTimeout(copying);
  session.close();
  port?.close();
}

yieldToRequests();
session.open();
post({ ready: true });
if (isSweeper) void releaseStartupMemory();

/**
 * Gives the threads that serve requests priority over the calling thread if both need the same core. Without it, a group that becomes
 * durable interrupts running responses for as long as a scheduler tick. Compared with other processes, the thread gets a third of its
 * former share. Only on Linux does a thread have its own priority; elsewhere this does nothing.
 */
function yieldToRequests(): void {
  try {
    const [processId, , threadId] = readlinkSync('/proc/thread-self').split('/');
    if (Number(processId) !== process.pid) return; // the ids are of another namespace
    setPriority(Number(threadId), Math.min(getPriority() + stepsBehind, constants.priority.PRIORITY_LOW));
  } catch {
    // Not Linux, or a system that hides its processes: everything works, only less evenly.
  }
}
