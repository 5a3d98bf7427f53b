/** The messages about feature flags in a document. */

const tooSlow = 'its rules take too long or too much memory; simplify them, or send a smaller context';

/** Why flags or one of them cannot be evaluated. Those of one flag have it as their subject. */
export const flagMessages = {
  notObject: '"flags" must be an object',
  metadata: '"metadata" has more than {members} members or {characters} characters',
  /** The flags of a whole document. */
  allTooSlow: `the flags cannot be evaluated: ${tooSlow}`,
  tooSlow,
  /** The reason is one of {@link flagFaultMessages}. */
  unusable: 'the flag cannot be used: {reason}',
  /** The reason names operators and has no pattern. */
  evaluation: 'its rules cannot be evaluated: {reason}',
  noVariant: 'its rules name an unknown variant: {name}',
  mixedTypes: 'its variants have different types: {types}',
} as const;

/** What is wrong with a flag as it is written. */
export const flagFaultMessages = {
  notObject: 'it must be an object',
  memberNotObject: '"{name}" must be an object',
  state: '"state" must be "ENABLED" or "DISABLED"',
  defaultVariant: '"defaultVariant" must name one of the variants',
  members: 'a rule must not have more than one member',
  operator: 'unknown operator {name}',
  evaluator: '$evaluators has no {name}',
  references: '$ref adds more than {count} nodes',
  levels: 'it is nested too deeply, or refers to itself',
} as const;
export type FlagFaultPattern = (typeof flagFaultMessages)[keyof typeof flagFaultMessages];
