/**
 * Limits on the computation and memory of one flag evaluation. Rules are a tenant's input, and a few characters can demand strings and
 * lists larger than memory. Each operator therefore pays before it computes or creates something: nothing over the budget ever exists.
 */

/** Milliseconds of processor time. The thread of an evaluation that takes more is ended. */
export const evaluationMs = 100;
/** Operators, items read, and characters read, 128 of them for one step. Some 20 ms of the worst rules. */
const stepsMax = 200_000;
/** Characters of all strings that the rules create. */
export const charactersMax = 1_000_000;
/** Items of all lists that the rules create. */
export const itemsMax = 100_000;

const charactersOfStep = 128;

/** An evaluation would take or create more than its budget. */
export class BudgetSpent extends Error {}

export class Budget {
  #steps = stepsMax;
  #characters = charactersMax;
  #items = itemsMax;

  /** Pays for this many steps. Throws `BudgetSpent`. */
  steps(count: number): void {
    this.#steps -= count;
    if (this.#steps < 0) throw new BudgetSpent();
  }

  /** Pays for reading this many characters. Throws `BudgetSpent`. */
  read(characters: number): void {
    this.steps(characters / charactersOfStep);
  }

  /** Pays for a string of this many characters, before it is created. Throws `BudgetSpent`. */
  text(characters: number): void {
    this.#characters -= characters;
    if (this.#characters < 0) throw new BudgetSpent();
    this.read(characters);
  }

  /** Pays for a list of this many items, before it is created. Throws `BudgetSpent`. */
  items(count: number): void {
    this.#items -= count;
    if (this.#items < 0) throw new BudgetSpent();
    this.steps(count);
  }
}
