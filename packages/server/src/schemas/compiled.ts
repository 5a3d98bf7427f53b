/**
 * A compiled schema: plain data that checks values on any thread. It is made once, on a thread (compile.ts), and can be sent to where the
 * documents are.
 */

/** A keyword of a schema, ready to check values, with the parameters made from its value. */
export type Check<Params extends object = object> = Params & {
  /** The keyword, as an index into the table of keywords. */
  readonly operation: number;
  /** JSON Pointer to the keyword, as a fragment. */
  readonly location: string;
};

/** A schema, ready to check values. */
export interface CompiledSchema {
  readonly scope: Scope;
  checks: readonly Check[];
  /** Steps of entering the schema, and those of its checks that are the same for any value. */
  price: number;
  /** Whether it asks which parts other schemas have looked at. */
  asksEvaluated: boolean;
}

/** The resource that contains a schema, as far as an evaluation needs it. */
export interface Scope {
  /** The schemas that dynamic references lead to. */
  readonly dynamic: Map<string, CompiledSchema>;
  /** Whether its metaschema leaves out keywords of the draft. */
  readonly isPartial: boolean;
}
