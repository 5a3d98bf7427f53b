/** The declaration of a shared table (tables.ts), and the columns and indexes that it describes. */

/** `integer` has 64 bits. With `?` a column may be null. */
type Stored = 'text' | 'integer' | 'bytes';
/** `generated` is an id that the database makes, meaningless in any other database. */
type ColumnType = Stored | `${Stored}?` | 'generated';

/** A column added after its table. Earlier rows have its default, or null. */
type LaterColumn =
  | { readonly since: number; readonly type: `${Stored}?` }
  | { readonly since: number; readonly type: 'text'; readonly default: string }
  | { readonly since: number; readonly type: 'integer'; readonly default: number };

/** An index added after its table. */
interface LaterIndex {
  readonly since: number;
  readonly on: string;
  /** Whether the table may be large, so that an engine with several nodes builds it in the background. */
  readonly isOfLarge?: true;
}

/**
 * Where the rows of a table are in a database of several machines (docs/scaling.md, "Citus"):
 *
 * - `managed`: on the coordinator, to which nodes connect. What is rarely used, or found without knowing the account, is there.
 * - `local`: there too, but unknown to Citus, since no statement that changes it reads a table with copies.
 * - `reference`: a copy is on every machine. Writes wait for all of them, and for each other.
 * - Otherwise on the machine of the account in the column `by`, with this account's rows of the table `with`.
 */
export type Placement = 'local' | 'managed' | 'reference' | { readonly by: 'account_id'; readonly with: string | null };

export interface SharedTable {
  /** The name of its records in messages. */
  readonly title: string;
  readonly placement: Placement;
  /** The migration that creates it. */
  readonly since: number;
  /** A plain type is a column that the table began with. Later ones name their migration. */
  readonly columns: Readonly<Record<string, ColumnType | LaterColumn>>;
  /**
   * The columns that identify a row. They begin with the account, so that rows of one account can be on one machine, or are a random hash
   * or id.
   */
  readonly key: readonly string[];
  /** Indexes by name, each as the SQL after `INDEX name ON table`, preceded by UNIQUE if it is unique. */
  readonly indexes?: Readonly<Record<string, string | LaterIndex>>;
  /** The column with the account whose deletion deletes the row. If omitted, rows belong to the installation. */
  readonly owner?: 'account_id' | 'directory_id';
  /** Whether rows belong to the project with the row's `account_id` and `slug`, and are deleted with it. */
  readonly isOfProject?: true;
  /** Whether the row's `slug` may name a project, or none: rows that name one are deleted with it. */
  readonly mayNameProject?: true;
  /** SQL: the condition on the rows of the project `$2` of the account `$1`, if no index has their slug. */
  readonly ofProject?: string;
  /** Whether rows expire so soon, or are made from others so easily, that no export includes them. */
  readonly isPassing?: true;
  /** Whether rows are updated so often that their pages reserve room for it. */
  readonly isUpdatedOften?: true;
}

export interface Column {
  readonly name: string;
  readonly since: number;
  readonly type: Stored | 'generated';
  readonly isNullable: boolean;
  /** The value in rows older than the column; undefined for a column that the table began with. */
  readonly default: string | number | null | undefined;
}

/** Returns the columns of a table in the table's order. */
export function columnsIn({ since, columns }: Pick<SharedTable, 'since' | 'columns'>): readonly Column[] {
  return Object.entries(columns).map(([name, said]) => {
    const { type, ...later } = typeof said === 'string' ? { type: said } : said;
    return {
      name,
      since,
      default: undefined,
      isNullable: type.endsWith('?'),
      type: type.replace('?', '') as Column['type'],
      ...(typeof said === 'string' ? {} : { default: null, ...later }),
    };
  });
}

/** Returns the indexes of a table. */
export function indexesIn({ since, indexes = {} }: SharedTable): readonly (LaterIndex & { readonly name: string })[] {
  return Object.entries(indexes).map(([name, said]) => ({
    name,
    ...(typeof said === 'string' ? { since, on: said } : said),
  }));
}
