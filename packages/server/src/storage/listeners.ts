/** Who wants to know when something that authorises may have gone or changed. */
export class Listeners {
  readonly #all: (() => void)[] = [];

  add(listener: () => void): void {
    this.#all.push(listener);
  }

  /** Calls all of them, in the order in which they were added. None of them throws. */
  tell(): void {
    for (const listener of this.#all) listener();
  }
}
