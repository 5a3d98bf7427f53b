/** One evaluation of a value: its position, findings and remaining budget. */
import { type Filling, fill, type ViolationPattern } from '@holdfast/contract/messages';
import type { JsonValue } from '@holdfast/json';
import type { StepBudget } from './bounds.ts';
import { BudgetSpent, evaluationDepthMax, evaluationStepsMax, pointerCharactersMax, violationsMax } from './bounds.ts';
import type { Check, CompiledSchema, Scope } from './compiled.ts';
import { pointerOf } from './pointer.ts';

/** A violation, without any value of the document. */
export interface Violation {
  /** JSON Pointer into the document, as made by {@link pointerOf}. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
  /** JSON Pointer to the keyword in the schema, as a fragment. */
  readonly schemaLocation: string;
  /** Like `path`, with `*` for indexes and for members that the schema does not name. */
  readonly generalPath: string;
}

/** The members and items of one array or object that some schema has evaluated. */
export class Evaluated {
  readonly names = new Set<string>();
  allNames = false;
  /** Items before this index have been evaluated. */
  itemsTo = 0;
  readonly items = new Set<number>();

  /** Records that items before `index` have been evaluated. */
  reach(index: number): void {
    this.itemsTo = Math.max(this.itemsTo, index);
  }

  /** Adds the parts of the same value that another schema has evaluated. */
  add(other: Evaluated): void {
    for (const name of other.names) this.names.add(name);
    this.allNames ||= other.allNames;
    this.reach(other.itemsTo);
    for (const item of other.items) this.items.add(item);
  }
}

/** How a keyword checks a value. */
export type Holds = (value: JsonValue, check: Check, run: Run) => boolean;

/** Steps charged for recording evaluated parts. */
const stepsOfRecording = 4;
/** Steps charged for reporting a violation, excluding its path. */
const stepsOfReporting = 4;
/** Characters and parts of a path that cost one step. Every character is charged as if it were escaped. */
const shownCharactersOfStep = 4;
const shownPartsOfStep = 2;

export class Run implements StepBudget {
  readonly violations: Violation[] = [];
  /** The evaluated parts of the current value; undefined if no schema depends on them. */
  evaluated: Evaluated | undefined;
  /** The resources that the evaluation has entered, outermost first. */
  readonly scopes: Scope[] = [];
  readonly #operations: readonly Holds[];
  readonly #path: (string | number)[] = [];
  /** For each part of the path, whether the schema names it. */
  readonly #isNamed: boolean[] = [];
  readonly #stepsMax: number;
  #steps: number;
  #depth = 0;
  #silent = 0;

  /** `operations` are the checks of the keywords, in the order of their table. */
  constructor(operations: readonly Holds[], stepsMax: number = evaluationStepsMax) {
    this.#operations = operations;
    this.#stepsMax = stepsMax;
    this.#steps = stepsMax;
  }

  /** Steps taken so far. */
  get taken(): number {
    return this.#stepsMax - this.#steps;
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new BudgetSpent();
  }

  /** Whether enough violations have been found. */
  get isSatisfied(): boolean {
    return this.#silent > 0 || this.violations.length >= violationsMax;
  }

  /** Whether the value is valid. Records violations. Throws `BudgetSpent`. */
  fits(schema: CompiledSchema, value: JsonValue): boolean {
    this.enter(schema.price);
    const { scope } = schema;
    const entered = this.scopes.at(-1) !== scope;
    if (entered) this.scopes.push(scope);
    const result = schema.asksEvaluated ? this.asking(() => this.#holds(schema, value)) : this.#holds(schema, value);
    if (entered) this.scopes.pop();
    this.leave();
    return result;
  }

  #holds({ checks }: CompiledSchema, value: JsonValue): boolean {
    let result = true;
    for (const check of checks) {
      if (this.#operations[check.operation]?.(value, check, this) !== false) continue;
      result = false;
      if (this.isSatisfied) break;
    }
    return result;
  }

  /** Enters a schema or a node of rules. Throws `BudgetSpent`. */
  enter(price: number): void {
    this.spend(price);
    if (++this.#depth > evaluationDepthMax) throw new BudgetSpent();
  }

  leave(): void {
    this.#depth--;
  }

  /** Records a violation. Returns false, the result of the check that found it. */
  violation<Pattern extends ViolationPattern>(
    keyword: string,
    schemaLocation: string,
    pattern: Pattern,
    ...parameters: Filling<Pattern>
  ): false {
    if (this.isSatisfied) return false;
    this.#payForReporting();
    const path = pointerOf(this.#path);
    const generalPath = this.#isNamed.every((isNamed) => isNamed)
      ? path
      : pointerOf(this.#path.map((part, index) => (this.#isNamed[index] ? part : '*')));
    this.violations.push({ path, keyword, message: fill(pattern, ...parameters), schemaLocation, generalPath });
    return false;
  }

  #payForReporting(): void {
    let characters = 0;
    for (const part of this.#path) characters += typeof part === 'string' ? part.length : 1;
    const shownCharacters = Math.min(characters, pointerCharactersMax);
    this.spend(stepsOfReporting + shownCharacters / shownCharactersOfStep + this.#path.length / shownPartsOfStep);
  }

  /** Moves down to a member or an item. Returns the record of the surrounding value, for {@link up}. */
  down(part: string | number, isNamed: boolean): Evaluated | undefined {
    const { evaluated } = this;
    this.evaluated = undefined;
    this.#path.push(part);
    this.#isNamed.push(isNamed);
    return evaluated;
  }

  /** Moves back up to the surrounding value. */
  up(evaluated: Evaluated | undefined): void {
    this.#path.pop();
    this.#isNamed.pop();
    this.evaluated = evaluated;
  }

  /** The result of checking a member or an item. */
  inside(part: string | number, isNamed: boolean, check: () => boolean): boolean {
    const around = this.down(part, isNamed);
    const result = check();
    this.up(around);
    return result;
  }

  /** The result of a check whose violations are not reported. */
  silently(check: () => boolean): boolean {
    this.#silent++;
    const result = check();
    this.#silent--;
    return result;
  }

  /** The result of checks that need to know which parts they alone evaluated. */
  asking(check: () => boolean): boolean {
    this.spend(stepsOfRecording);
    const { evaluated } = this;
    const own = new Evaluated();
    this.evaluated = own;
    const result = check();
    this.evaluated = evaluated;
    if (result && evaluated !== undefined) {
      this.spend(own.names.size + own.items.size);
      evaluated.add(own);
    }
    return result;
  }

  /** The result of a check that may fail without consequence: the parts that it evaluated count only if it succeeds. */
  tentatively(check: () => boolean): boolean {
    const { evaluated } = this;
    return this.silently(evaluated === undefined ? check : () => this.asking(check));
  }
}
