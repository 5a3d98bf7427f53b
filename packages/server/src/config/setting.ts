import type { ValueType } from './values.ts';

/** The declaration of a setting. */
export interface Setting<Value> {
  /** The environment variable. */
  readonly env: `SVC_${string}`;
  /** A variable of the platform that is read if `env` is not set. */
  readonly alternative?: string;
  readonly type: ValueType<Value>;
  /** As written in the environment. Without one, the value is undefined until it is set. */
  readonly default?: string;
  /** Shown instead of the value while there is no default. */
  readonly unset?: string;
  readonly unit?: string;
  readonly help: string;
  /** Never shown. */
  readonly secret?: true;
}
