/**
 * Bounds on schemas and on their evaluation. Schemas are a tenant's input, and a few characters can demand more work than a
 * machine can do. Each is therefore checked before it is used, and each evaluation pays for its steps and ends when its budget is spent.
 */

/** Characters of a schema as compact JSON text. */
export const schemaCharactersMax = 131_072;
/** Schemas in a schema: each object or boolean in the position of a schema. */
export const schemaNodesMax = 5_000;
/** Levels of nested schemas. */
export const schemaDepthMax = 64;
/** `$ref` and `$dynamicRef` in a schema. */
export const schemaReferencesMax = 1_000;
/** Regular expressions in a schema, characters of one, and instructions that one, and all together, may compile to. */
export const patternsMax = 200;
export const patternCharactersMax = 1_000;
export const patternInstructionsMax = 2_000;
export const patternInstructionsOfSchemaMax = 10_000;

/**
 * Classes of characters such as `\p{L}` that a new schema may name: each takes half a millisecond to compile. Old schemas may keep more.
 */
export const patternClassesMax = 400;
/** Most warnings about a schema. */
export const warningsMax = 20;

/** Levels of schemas under evaluation at one time: some 2,000 levels fit on the stack of the main thread. */
export const evaluationDepthMax = 700;
/**
 * Steps of an evaluation. Each keyword states its cost, in steps of at most some 100 ns: together they take 30 to 150 ms of processor time,
 * measured with the worst schemas.
 */
export const evaluationStepsMax = 1_000_000;
/** Most violations in one response. */
export const violationsMax = 20;
/** Most characters of a JSON Pointer in a message or response. */
export const pointerCharactersMax = 512;

/** An evaluation would take more than its budget. Its result is unknown, so it counts as a violation. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** Pays for looking at values. */
export interface StepBudget {
  /** Pays for this many steps, before the work. Throws `BudgetSpent`. */
  spend(steps: number): void;
}
