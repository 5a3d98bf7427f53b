/** The messages about feature flags in a document. */

const tooSlow = 'its rules take too long or too much memory; make them simpler, or send a smaller context';

/** Why flags or one of them cannot be evaluated. Those of one flag have it as their subject. */
export const flagMessages = {
  notObject: '"flags" is no object',
  metadata: '"metadata" has more than {members} members or {characters} characters',
  /** The flags of a whole document. */
  allTooSlow: `the flags cannot be evaluated: ${tooSlow}`,
  tooSlow,
  /** The reason is one of {@link flagFaultMessages}. */
  unusable: 'the flag cannot be used: {reason}',
  /** The reason names operators and has no pattern. */
  evaluation: 'its rules cannot be evaluated: {reason}',
  noVariant: 'its rules give the name of no variant: {name}',
  mixedTypes: 'its variants are of different types: {types}',
} as const;

/** What is wrong with a flag as it is written. */
export const flagFaultMessages = {
  notObject: 'it is no object',
  memberNotObject: '"{name}" is no object',
  state: '"state" is neither "ENABLED" nor "DISABLED"',
  defaultVariant: '"defaultVariant" names none of the variants',
  members: 'an object with more than one member is no rule',
  operator: 'there is no operator {name}',
  evaluator: '$evaluators has no {name}',
  references: 'more than {count} nodes come by $ref',
  levels: 'it is nested too deeply, or refers to itself',
} as const;
export type FlagFaultPattern = (typeof flagFaultMessages)[keyof typeof flagFaultMessages];
