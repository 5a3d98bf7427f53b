/**
 * What a schema may be and what one evaluation of it may take. Schemas are a tenant's input, and a few characters of them can ask for more
 * work than a machine has: so each is bounded before it is used, and each evaluation pays for its steps and ends when they are spent.
 */

/** Characters of a schema as compact JSON text. */
export const schemaCharactersMax = 131_072;
/** Schemas in a schema: each object or boolean that stands where a schema may stand. */
export const schemaNodesMax = 5_000;
/** Levels of schemas in each other. */
export const schemaDepthMax = 64;
/** `$ref` and `$dynamicRef` in a schema. */
export const schemaReferencesMax = 1_000;
/** Regular expressions in a schema, characters of one, and instructions that one, and all together, may compile to. */
export const patternsMax = 200;
export const patternCharactersMax = 1_000;
export const patternInstructionsMax = 2_000;
export const patternInstructionsOfSchemaMax = 10_000;

/** Classes of characters such as `\p{L}` that a new schema may name: each takes half a millisecond to compile, and stays in force in old ones. */
export const patternClassesMax = 400;
/** The most warnings about a schema. */
export const warningsMax = 20;

/** Levels of schemas that are under way at one time: some 2,000 levels fit on the stack of the main thread. */
export const evaluationDepthMax = 700;
/**
 * Steps of an evaluation: what a keyword costs stands beside it, in steps of at most some 100 ns. So they take 30 to 150 ms of processor
 * time, measured with the worst schemas.
 */
export const evaluationStepsMax = 1_000_000;
/** The most violations that one answer names. */
export const violationsMax = 20;
/** The most characters of a JSON Pointer in a message or response. */
export const pointerCharactersMax = 512;

/** An evaluation would take more than its budget. What it would have found is not known, so it counts as a violation. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** What pays for looking at values. */
export interface Payer {
  /** Pays for so many steps, before the work. Throws `BudgetSpent`. */
  spend(steps: number): void;
}
