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

/** Levels of schemas that are under way at one time: some 2,000 levels fit on the stack of the main thread. */
export const evaluationDepthMax = 700;
/**
 * Steps of an evaluation: one for each schema at each value, and more for what looks at many members or characters. They take 30 to 150 ms
 * of processor time, measured with the worst schemas; a document of 250 KB with a large schema takes 100,000 of them.
 */
export const evaluationStepsMax = 1_000_000;
/** The most violations that one answer names. */
export const violationsMax = 20;

/** An evaluation would take more than its budget. What it would have found is not known, so it counts as a violation. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}
