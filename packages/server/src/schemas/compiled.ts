/**
 * A compiled schema: plain data that checks values on any thread. It is compiled once, on a worker thread (compile.ts), and can be sent to
 * any other thread.
 */

/** A compiled keyword, with the parameters read from its value. */
export type Check<Params extends object = object> = Params & {
  /** The keyword, as an index into the table of keywords. */
  readonly operation: number;
  /** JSON Pointer to the keyword, as a fragment. */
  readonly location: string;
};

/** A compiled schema. */
export interface CompiledSchema {
  readonly scope: Scope;
  checks: readonly Check[];
  /** Steps charged for entering the schema, plus the fixed steps of its checks. */
  price: number;
  /** Whether the schema depends on which parts other schemas have evaluated. */
  asksEvaluated: boolean;
}

/** The parts of a schema's resource that an evaluation needs. */
export interface Scope {
  /** The targets of dynamic references. */
  readonly dynamic: Map<string, CompiledSchema>;
  /** Whether its metaschema leaves out keywords of the draft. */
  readonly isPartial: boolean;
}
