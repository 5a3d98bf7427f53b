/** Deadlines, checked a few times a second: one timer per deadline would cost more. */

const tickMilliseconds = 100;

export interface Deadline {
  readonly at: number;
  /** Set by the waiting side as soon as the wait is over. */
  isMet: boolean;
  readonly onMissed: () => void;
}

/** Deadlines with the same duration, which therefore expire in the order in which they were added. */
export class Deadlines {
  readonly #milliseconds: number;
  #pending: Deadline[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Calls `onMissed` at the deadline, unless it is met first. */
  add(onMissed: () => void): Deadline {
    const deadline: Deadline = { at: performance.now() + this.#milliseconds, isMet: false, onMissed };
    this.#pending.push(deadline);
    this.#timer ??= setInterval(() => this.#check(), tickMilliseconds);
    return deadline;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#pending = [];
  }

  #check(): void {
    const now = performance.now();
    this.#pending = this.#pending.filter((deadline) => !deadline.isMet);
    let missed = 0;
    while (missed < this.#pending.length && (this.#pending[missed] as Deadline).at <= now) missed += 1;
    for (const deadline of this.#pending.splice(0, missed)) deadline.onMissed();
    if (this.#pending.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
