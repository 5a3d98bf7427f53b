/** Log lines for people. Loaded only for a terminal, or if the settings ask for it. */
import { prettyFactory } from 'pino-pretty';
import { answeredMessage } from './request-log.ts';

/** Returns a function that turns a JSON line into a line for people. */
export function createPrinter(isTerminal: boolean): (line: string) => string {
  const print = prettyFactory({
    colorize: isTerminal && process.stdout.hasColors?.() === true,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    errorLikeObjectKeys: ['error'],
  });
  return (line) => {
    const fields = JSON.parse(line) as Record<string, unknown>;
    return print(fields.msg === answeredMessage ? answeredInWords(fields) : fields);
  };
}

/** Turns the usual fields of a request into one sentence, followed by the others. */
function answeredInWords(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { method, route, operation: _, status, code, durationMilliseconds, ...others } = fields;
  const words = [method, route ?? '(no route)', status, code, `${durationMilliseconds} ms`];
  return { ...others, msg: words.filter((word) => word !== undefined).join(' ') };
}
