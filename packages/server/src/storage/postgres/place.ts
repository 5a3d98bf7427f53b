/** Where a database is and how it is reached. */

export interface DatabasePlace {
  /** `postgres://…`, without what is only for us. */
  readonly url: string;
  readonly connectionsMax: number;
  /**
   * Whether a pooler such as PgBouncer in transaction mode lies between, which gives every transaction another connection:
   * nothing can then be prepared beforehand, and no connection has settings of its own.
   */
  readonly isPooled: boolean;
}

/** The parameter of the URL that says so, under the name that other clients know it by. */
const poolerParameter = 'pgbouncer';

/** Reads the address of a database as it stands in the configuration. */
export function databasePlace(configuredUrl: string, connectionsMax: number): DatabasePlace {
  const [address = '', query = ''] = configuredUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  const isPooled = parameters.get(poolerParameter) === 'true';
  parameters.delete(poolerParameter);
  const rest = parameters.toString();
  return { url: rest === '' ? address : `${address}?${rest}`, connectionsMax, isPooled };
}
