/** A schema with its rules of change, ready to judge documents. */
import { type JsonObject, JsonTextError, type JsonValue, parseJson } from '@holdfast/json';
import { BudgetSpent, evaluationStepsMax, schemaCharactersMax } from './bounds.ts';
import { checkChange } from './change.ts';
import { check, compileSchema, type SchemaCompilation } from './compile.ts';
import { ruleTreeOf } from './rule-tree.ts';
import type { RuleNode } from './rules.ts';
import { Run, type Violation } from './run.ts';
import { SchemaFault } from './schema-fault.ts';
import { type Touched, TouchedJudge } from './touched.ts';

/** What a player's write changes. */
export interface Change {
  /** The document before; undefined where there was none. */
  readonly before: JsonObject | undefined;
}

export class Shape {
  readonly #compilation: SchemaCompilation;
  readonly #rules: RuleNode | undefined;
  readonly #touched: TouchedJudge;

  /** `text` is JSON. Throws `SchemaFault` for a schema that does not compile or is beyond its bounds. */
  constructor(text: string) {
    if (text.length > schemaCharactersMax) {
      throw new SchemaFault(
        '',
        'budget',
        `the schema has ${text.length} characters; at most ${schemaCharactersMax} are allowed`,
      );
    }
    this.#compilation = compileSchema(schemaOf(text));
    this.#rules = ruleTreeOf(this.#compilation);
    this.#touched = new TouchedJudge(this.#compilation, this.#rules);
  }

  /** What its regular expressions compile to. */
  get instructions(): number {
    return this.#compilation.instructions;
  }

  /** Whether a player's write may break rules of change, so that the document before is needed. */
  get hasRules(): boolean {
    return this.#rules !== undefined;
  }

  /**
   * What does not fit, and for a player's `change` which rules it breaks. Undefined when that takes more than `stepsMax` steps; with the
   * default the budget of an evaluation holds, and what is beyond it is a violation `budget`.
   */
  judge(document: JsonValue, change: Change | undefined, stepsMax: number): readonly Violation[] | undefined;
  judge(document: JsonValue, change?: Change): readonly Violation[];
  judge(document: JsonValue, change?: Change, stepsMax: number = evaluationStepsMax): readonly Violation[] | undefined {
    const run = new Run(stepsMax);
    try {
      check(this.#compilation, document, run);
      if (change !== undefined && this.#rules !== undefined) checkChange(this.#rules, change.before, document, run);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      if (stepsMax < evaluationStepsMax) return undefined;
      return [beyondBudget];
    }
    return run.violations;
  }

  /**
   * The same of a document that fitted before a patch, by what the patch has written alone. Undefined where that cannot be told from it, or
   * takes more than `stepsMax` steps.
   */
  judgeTouched(touched: readonly Touched[], byPlayer: boolean, stepsMax: number): readonly Violation[] | undefined {
    const run = new Run(stepsMax);
    try {
      return this.#touched.judge(touched, byPlayer, run) ? run.violations : undefined;
    } catch (error) {
      if (error instanceof BudgetSpent) return undefined;
      throw error;
    }
  }
}

const beyondBudget: Violation = {
  path: '',
  keyword: 'budget',
  message: 'the evaluation takes more than its budget, so whether the document fits is not known',
  schemaLocation: '#',
  generalPath: '',
};

function schemaOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonTextError)
      throw new SchemaFault('', 'type', `the schema is no JSON that can be read: ${error.message}`);
    throw error;
  }
}
