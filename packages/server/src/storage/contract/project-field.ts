/** The kinds of fields of a project. Each says what a field may hold, and how its column stores it. */

interface Declared {
  readonly column: string;
  /** The migration that adds the column. If omitted, the table was created with it. */
  readonly since?: number;
  /** Whether it decides about requests, so that changing it is an access change. */
  readonly isAccess?: true;
}

/** A field that can be set. */
export interface ProjectField<Value> extends Declared {
  /** How values are stored: a text chosen by a person, JSON, or one of these words. */
  readonly form: 'text' | 'json' | readonly string[];
  /** The value in new projects, and in those older than the column. */
  readonly default: Value;
  /** Whether the column is null for the default. */
  readonly isNullable?: true;
}

/** A text chosen by a person. */
export const text = (declared: Declared & { readonly default: string }): ProjectField<string> => ({
  ...declared,
  form: 'text',
});

/** A text chosen by a person, or null: the default. */
export const optionalText = (declared: Declared): ProjectField<string | null> => ({
  ...declared,
  form: 'text',
  default: null,
  isNullable: true,
});

/** One of these words. */
export const word = <Word extends string>(
  words: readonly Word[],
  declared: Declared & { readonly default: NoInfer<Word> },
): ProjectField<Word> => ({ ...declared, form: words });

/** Any other value, as JSON. */
export const json = <Value>(
  declared: Declared & { readonly default: Value; readonly isNullable?: true },
): ProjectField<Value> => ({ ...declared, form: 'json' });
