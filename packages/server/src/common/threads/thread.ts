/** A worker thread that is asked one question at a time. */
import type { Transferable, Worker } from 'node:worker_threads';

/** A thread ended before it replied. Its failure is the cause; there is none if it was ended from outside. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export class Thread<Question, Reply> {
  readonly #worker: Worker;
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<void>;
  #asked: PromiseWithResolvers<Reply> | undefined;
  /** Why nothing more can be asked: the thread has ended or is ending. */
  #end: Error | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    const name = worker.threadName;
    let failure: unknown;
    worker.on('message', (reply: Reply) => {
      this.#asked?.resolve(reply);
      this.#asked = undefined;
    });
    worker.on('error', (error) => {
      failure = error;
    });
    this.ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#end ??= new ThreadEnded(`the thread "${name}" ended`, { cause: failure });
        this.#asked?.reject(this.#end);
        resolve();
      });
    });
  }

  /** Whether the thread has ended or is ending. */
  get isEnding(): boolean {
    return this.#end !== undefined;
  }

  /**
   * Asks, and returns the reply. `transfer` lists objects to hand over instead of copying. Rejects with `ThreadEnded`, or with the reason
   * given to `end`, if the thread ends before it has replied.
   */
  async ask(question: Question, transfer: readonly Transferable[] = []): Promise<Reply> {
    if (this.#end !== undefined) throw this.#end;
    this.#worker.postMessage(question, transfer);
    this.#asked = Promise.withResolvers();
    return this.#asked.promise;
  }

  /** Sets whether the thread keeps the process alive. */
  keepProcess(isKept: boolean): void {
    if (isKept) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Ends the thread, whatever it is doing. */
  async end(reason: Error = new ThreadEnded(`the thread "${this.#worker.threadName}" was ended`)): Promise<void> {
    this.#end ??= reason;
    await this.#worker.terminate();
  }
}
