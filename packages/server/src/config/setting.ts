import type { ValueType } from './values.ts';

/** The declaration of a setting. */
export interface Setting<Value> {
  /** The environment variable. */
  readonly env: `SVC_${string}`;
  /** A variable of the platform that is read where `env` is not set. */
  readonly alternative?: string;
  readonly type: ValueType<Value>;
  /** As it would be written in the environment. Without one, the value is undefined until something is set. */
  readonly default?: string;
  /** Shown in place of the value while there is no default. */
  readonly unset?: string;
  readonly unit?: string;
  readonly help: string;
  /** Never shown. */
  readonly secret?: true;
}
