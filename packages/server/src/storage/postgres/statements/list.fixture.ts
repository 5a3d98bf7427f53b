/** The file of the statements that the service sends to PostgreSQL. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(import.meta.dirname, 'statements.sql');

/** Whether a run adds what is missing to the list, instead of failing. */
export const isRecording = process.env.HOLDFAST_RECORD === '1';

/** Returns the recorded statements, each once, in order. */
export function recordedStatements(): readonly string[] {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n');
  return [...new Set(lines)].filter((line) => line !== '').sort();
}

/** Adds statements at the end. Several processes may do so at once. */
export function recordStatements(lines: Iterable<string>): void {
  appendFileSync(path, Array.from(lines, (line) => `${line}\n`).join(''));
}

/** Puts the list in order once no process adds to it any more. */
export function sortStatements(): void {
  writeFileSync(path, `${recordedStatements().join('\n')}\n`);
}
