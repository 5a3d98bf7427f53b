/**
 * How much processor time a busy thread has used for its work. A thread that cannot answer can only be measured from outside; elapsed time
 * would blame it for a busy machine.
 */
import { readFileSync, readlinkSync } from 'node:fs';

const bytes = 3 * Float64Array.BYTES_PER_ELEMENT;
/** Stands for no flag: the thread is doing something else. */
export const noFlag = -1;

/** A thread's reports of its work, in memory shared with the main thread. */
export class WorkNotes {
  readonly buffer: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #times: Float64Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(bytes)) {
    this.buffer = buffer;
    this.#numbers = new Int32Array(buffer, 0, 2);
    this.#times = new Float64Array(buffer, Float64Array.BYTES_PER_ELEMENT, 2);
  }

  /** The main thread sends work. */
  send(): void {
    Atomics.store(this.#numbers, 0, noFlag);
    Atomics.store(this.#numbers, 1, 0);
  }

  /** The thread begins the work. */
  begin(): void {
    this.#times[0] = ownMs();
    Atomics.store(this.#numbers, 1, 1);
  }

  /** The thread has finished the work. */
  end(): void {
    this.#times[1] = ownMs() - (this.#times[0] ?? 0);
  }

  /** Processor time of the thread's last work, in milliseconds. */
  get takenMs(): number {
    return this.#times[1] ?? 0;
  }

  /** The index of the current flag. */
  get index(): number {
    return Atomics.load(this.#numbers, 0);
  }
  set index(index: number) {
    Atomics.store(this.#numbers, 0, index);
  }

  /** Processor time that the thread had used when it began, in milliseconds; undefined before. */
  get begunMs(): number | undefined {
    return Atomics.load(this.#numbers, 1) === 0 ? undefined : this.#times[0];
  }
}

/** Processor time of the calling thread, in milliseconds. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the file in which Linux reports the times of the calling thread; undefined elsewhere. */
export function ownTimesFile(): string | undefined {
  try {
    const [, task] = /task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    const file = `/proc/self/task/${task}/schedstat`;
    return timeIn(file) === undefined ? undefined : file;
  } catch {
    return undefined;
  }
}

/** Returns the processor time in such a file, in milliseconds; undefined if it has none. */
export function timeIn(file: string): number | undefined {
  try {
    const [nanoseconds] = readFileSync(file, 'latin1').split(' ', 1);
    return Number(nanoseconds) / 1_000_000;
  } catch {
    return undefined;
  }
}
