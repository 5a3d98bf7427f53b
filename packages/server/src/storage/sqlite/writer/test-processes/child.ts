/** Runs one of the programs beside this file as a separate process, and reads its output line by line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Child {
  readonly process: ChildProcess;
  /** Lines that it has printed so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line, printed already or later, that begins with `start`; rejects if the process ends before. */
  line(start: string): Promise<string>;
  /** Resolves when it has ended and all its output was read. */
  readonly ended: Promise<void>;
}

export function startChild(program: string, ...args: string[]): Child {
  const child = spawn(process.execPath, [new URL(program, import.meta.url).pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const ended = Promise.all([once(reader, 'close'), once(child, 'exit')]).then(() => undefined);
  const line = (start: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.find((each) => each.startsWith(start));
        if (found !== undefined) resolve(found);
      };
      reader.on('line', look);
      ended.then(() => reject(new Error(`${program} ended without saying "${start}": ${lines.join(' | ')}`)), reject);
      look();
    });
  return { process: child, lines, line, ended };
}
