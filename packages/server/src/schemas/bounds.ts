/**
 * Bounds on schemas and on their evaluation. Schemas are a tenant's input, and a few characters can demand more work than a machine can do.
 * Each schema is therefore checked before use, and each evaluation is charged for its steps and ends when its budget is spent.
 */

/** Characters of a schema as compact JSON text. */
export const schemaCharactersMax = 131_072;
/** Subschemas in a schema: each object or boolean in the position of a schema. */
export const schemaNodesMax = 5_000;
/** Levels of nested schemas. */
export const schemaDepthMax = 64;
/** `$ref` and `$dynamicRef` in a schema. */
export const schemaReferencesMax = 1_000;
/** Limits on regular expressions: how many per schema, characters of each, and compiled instructions of each and of all together. */
export const patternsMax = 200;
export const patternCharactersMax = 1_000;
export const patternInstructionsMax = 2_000;
export const patternInstructionsOfSchemaMax = 10_000;

/**
 * Character classes such as `\p{L}` that a new schema may use: each takes half a millisecond to compile. Existing schemas may have more.
 */
export const patternClassesMax = 400;
/** The maximum number of warnings about a schema. */
export const warningsMax = 20;

/** Nesting depth of an evaluation. Some 2,000 levels fit on the main thread's stack. */
export const evaluationDepthMax = 700;
/**
 * Steps of an evaluation. Each keyword states its cost in steps of at most some 100 ns. A full budget takes 30 to 150 ms of processor time,
 * measured with the worst schemas.
 */
export const evaluationStepsMax = 1_000_000;
/** The maximum number of violations in a response. */
export const violationsMax = 20;
/** The maximum length of a JSON Pointer in a message or response. */
export const pointerCharactersMax = 512;

/** An evaluation would take more than its budget. Its result is unknown, so it counts as a violation. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** Charges for work on values. */
export interface StepBudget {
  /** Charges this many steps, before the work is done. Throws `BudgetSpent`. */
  spend(steps: number): void;
}
