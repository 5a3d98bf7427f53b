/** The log: JSON lines on standard output. Never a secret, token, code, body or email address. */
import { type DestinationStream, type Logger, pino } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = Logger;

/** A log that drops what is below `level`. An `error` is written with its stack and its causes. */
export function createLog(level: LogLevel, destination: DestinationStream = pino.destination({ fd: 1, sync: true })): Log {
  const serializers = { error: pino.stdSerializers.errWithCause };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers }, destination);
}
