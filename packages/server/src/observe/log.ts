/** The log: one line for each event. Never a secret, token, code, body, email address, query or player id. */

import { type DestinationStream, type Logger, pino } from 'pino';
import { machineTime } from '../common/time/clock.ts';
import { errorFields } from './error-fields.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = Logger;

/** Returns a log that drops lines below `level`. Of an `error`, only its message, stack and causes are written. */
export function createLog(level: LogLevel, output: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoTime()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: errorFields, err: errorFields },
    },
    output,
  );
}

let shownAt = Number.NaN;
let shown = '';

/** The time of a line. Under load many lines share a millisecond, and therefore one text. @see RFC 3339 */
export function isoTime(): string {
  const now = machineTime();
  if (now !== shownAt) {
    shownAt = now;
    shown = new Date(now).toISOString();
  }
  return shown;
}
