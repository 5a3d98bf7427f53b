/** The log: JSON lines on standard output. Never a secret, token, code, body or email address. */
import { type Logger, pino } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = Logger;

/** A log that drops what is below `level`. */
export function createLog(level: LogLevel): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 1, sync: true }));
}
