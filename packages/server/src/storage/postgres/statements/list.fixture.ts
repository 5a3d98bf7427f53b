/** The file of the statements that the service sends to PostgreSQL. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(import.meta.dirname, 'statements.sql');

/** Whether a run replaces the list with the statements that it sends. */
const isWhole = process.env.HOLDFAST_RECORD === 'whole';

/** Whether a run adds missing statements to the list, or replaces it, instead of failing. */
export const isRecording = isWhole || process.env.HOLDFAST_RECORD === '1';

/** Where a run writes its statements. The list that it replaces stays until the end, since tests read it. */
const recordPath = isWhole ? `${path}.whole` : path;

const linesOf = (file: string): readonly string[] => {
  const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n');
  return [...new Set(lines)].filter((line) => line !== '').sort();
};

/** Returns the recorded statements, each once, in order. */
export const recordedStatements = (): readonly string[] => linesOf(path);

/** Returns the statements that need not be recorded again. */
export const keptStatements = (): readonly string[] => (isWhole ? [] : recordedStatements());

/** Deletes the remains of an earlier run that was interrupted. */
export function beginRecording(): void {
  if (isWhole) rmSync(recordPath, { force: true });
}

/** Adds statements at the end. Several processes may do so at once. */
export function recordStatements(lines: Iterable<string>): void {
  appendFileSync(recordPath, Array.from(lines, (line) => `${line}\n`).join(''));
}

/** Puts the list in order once no process adds to it any more. */
export function finishRecording(): void {
  writeFileSync(path, `${linesOf(recordPath).join('\n')}\n`);
  if (isWhole) rmSync(recordPath);
}
