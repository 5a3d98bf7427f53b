/**
 * Writes log lines to standard output, many at a time. One write for each line would cost a busy service a tenth of its requests, and a
 * reader that stops reading must not stop the service.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import { createLogSink } from './log-sink.ts';

/** Lines wait for at most this long, or until they reach this many characters. Warnings and errors do not wait. */
const waitMilliseconds = 100;
const chunkCharacters = 64_000;
/** How soon writing to a blocked reader is tried again. */
const retryMilliseconds = 20;
/** How long the reader has to take the last lines. */
const lastMilliseconds = 2_000;
const warnLevel = 40;

export type LogFormat = 'auto' | 'json' | 'pretty';

export interface LogOutput extends DestinationStream {
  /** Whether the output is a terminal. */
  readonly isTerminal?: boolean;
  /** Writes the waiting lines and ends the output. Lines written later are lost. */
  close(): Promise<void>;
}

/** The values that pino passes to a destination in addition to the line. */
interface Informed {
  readonly [key: symbol]: true;
  lastLevel: number;
}

/**
 * Opens the output to a file descriptor. `auto` is pretty on a terminal, and JSON anywhere else. Waiting lines are also written when the
 * process ends with `process.exit` or an uncaught exception.
 */
export async function openLogOutput(format: LogFormat, fd = 1): Promise<LogOutput> {
  const isPretty = format === 'pretty' || (format === 'auto' && isatty(fd));
  const print = isPretty ? (await import('./pretty.ts')).createPrinter(isatty(fd)) : undefined;
  const sink = createLogSink(fd);
  let waiting = '';
  let lines = 0;
  let timer: NodeJS.Timeout | undefined;

  const hand = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines > 0) sink.add(waiting, lines);
    waiting = '';
    lines = 0;
    if (!sink.flush()) timer = setTimeout(hand, retryMilliseconds).unref();
  };
  const onExit = (): void => {
    hand();
    const end = performance.now() + lastMilliseconds;
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (!sink.flush() && performance.now() < end) Atomics.wait(clock, 0, 0, retryMilliseconds);
  };
  process.on('exit', onExit);

  const output: LogOutput & Informed = {
    isTerminal: isPretty && isatty(fd),
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line) {
      waiting += print === undefined ? line : print(line);
      lines++;
      const { lastLevel } = output;
      output.lastLevel = 0;
      if (waiting.length >= chunkCharacters || lastLevel >= warnLevel) hand();
      else timer ??= setTimeout(hand, waitMilliseconds).unref();
    },
    async close() {
      hand();
      const end = performance.now() + lastMilliseconds;
      while (!sink.flush() && performance.now() < end) await sleep(retryMilliseconds);
      clearTimeout(timer);
      process.off('exit', onExit);
      sink.close();
    },
  };
  return output;
}
