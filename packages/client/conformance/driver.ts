/** Starts the program that drives a client, and exchanges lines of JSON with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface Answer {
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface Driver {
  /** Sends a line, and resolves with the line that has the same id. Rejects if none arrives in time. */
  ask(call: Readonly<Record<string, unknown>>): Promise<Answer>;
  stop(): Promise<void>;
}

/** Longest wait for a driver. A case takes a second or two. */
const answerMs = 60_000;

/** Starts a driver. */
export function startDriver([command = '', ...args]: readonly string[]): Driver {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  let asked = 0;
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const exited = once(child, 'exit').then(
    ([status]) => failAll(new Error(`the driver ended with status ${status}`)),
    (error) => failAll(error),
  );
  child.stdin.on('error', () => {}); // the exit is reported instead
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, ...answer } = JSON.parse(line);
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
  });
  return {
    ask(call) {
      const id = ++asked;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no answer to ${JSON.stringify(call)}`)), answerMs);
        const settle =
          <Value>(then: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(timer);
            then(value);
          };
        waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
        child.stdin.write(`${JSON.stringify({ id, ...call })}\n`);
      });
    },
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill(), 5_000);
      await exited;
      clearTimeout(timer);
    },
  };
}
