/** A compiled schema with its rules of change, ready to validate documents on any thread. */
import { violationMessages } from '@holdfast/contract/messages';
import type { JsonObject, JsonValue } from '@holdfast/json';
import { BudgetSpent, evaluationStepsMax } from './bounds.ts';
import { checkChange } from './change.ts';
import type { CompiledSchema } from './compiled.ts';
import { newRun } from './keywords.ts';
import type { RuleNode } from './rules.ts';
import type { Violation } from './run.ts';
import { type Touched, TouchedValidator } from './touched.ts';

/** A change by a player's write. */
export interface Change {
  /** The previous document; undefined if there was none. */
  readonly before: JsonObject | undefined;
}

/** The compiled form of a schema and its rules. Plain data. */
export interface CompiledStateSchema {
  readonly root: CompiledSchema;
  /** Undefined if the schema has no rules. */
  readonly rules: RuleNode | undefined;
  /** Whether the schema has dynamic references. */
  readonly isDynamic: boolean;
}

export class StateSchema {
  readonly #root: CompiledSchema;
  readonly #rules: RuleNode | undefined;
  readonly #touched: TouchedValidator;

  constructor({ root, rules, isDynamic }: CompiledStateSchema) {
    this.#root = root;
    this.#rules = rules;
    this.#touched = new TouchedValidator(root, isDynamic, rules);
  }

  /** Whether there are rules of change, which need the document as it was before a player's write. */
  get hasRules(): boolean {
    return this.#rules !== undefined;
  }

  /**
   * Returns the violations, including rules that a player's `change` breaks; undefined if validation takes more than `stepsMax` steps. With
   * the default, the evaluation budget applies, and exceeding it is a violation `budget`.
   */
  validate(document: JsonValue, change: Change | undefined, stepsMax: number): readonly Violation[] | undefined;
  validate(document: JsonValue, change?: Change): readonly Violation[];
  validate(document: JsonValue, change?: Change, stepsMax: number = evaluationStepsMax): readonly Violation[] | undefined {
    const run = newRun(stepsMax);
    try {
      run.fits(this.#root, document);
      if (change !== undefined && this.#rules !== undefined) checkChange(this.#rules, change.before, document, run);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      if (stepsMax < evaluationStepsMax) return undefined;
      return [beyondBudget];
    }
    return run.violations;
  }

  /**
   * Does the same for a document that was valid before a patch, checking only the values that the patch wrote. Undefined if these values do
   * not decide the result, or if validation takes more than `stepsMax` steps.
   */
  validateTouched(touched: readonly Touched[], byPlayer: boolean, stepsMax: number): readonly Violation[] | undefined {
    const run = newRun(stepsMax);
    try {
      return this.#touched.validate(touched, byPlayer, run) ? run.violations : undefined;
    } catch (error) {
      if (error instanceof BudgetSpent) return undefined;
      throw error;
    }
  }
}

const beyondBudget: Violation = {
  path: '',
  keyword: 'budget',
  message: violationMessages.budget,
  schemaLocation: '#',
  generalPath: '',
};
