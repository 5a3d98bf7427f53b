/** Finds code that reads the machine's date instead of the service's clock, which may be corrected. */
import { isTest } from './source-files.ts';

const clock = 'packages/server/src/common/time/clock.ts';
/** A call, or a reference that is called elsewhere. A date of given milliseconds does not count. */
const asks = /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\s(]))|(?<!new\s+|[\w.])Date\s*\(/g;

/** Returns a line for each read of the date in a source file; none for tests, the clock, and page scripts. */
export function datesBesideClock(file: string, text: string): string[] {
  if (!file.startsWith('packages/server/src/') || file === clock || isTest(file) || file.endsWith('.js')) return [];
  return Array.from(text.matchAll(asks), ({ index, 0: found }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${file}:${line}: ${found.trim()} asks the machine for the date; take a clock as a parameter, or from common/time/clock.ts`;
  });
}
