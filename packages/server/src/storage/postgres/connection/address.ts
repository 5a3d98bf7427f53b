/** Where a database is and how it is reached. */

export interface DatabaseAddress {
  /** The address of each server, `postgres://…` without what is only for us. Of several, the one that takes writes is asked. */
  readonly urls: readonly string[];
  readonly connectionsMax: number;
  /**
   * Whether a pooler such as PgBouncer in transaction mode lies between, which gives every transaction another connection:
   * nothing can then be prepared beforehand, and no connection has settings of its own.
   */
  readonly isPooled: boolean;
}

/** The parameter of the URL that says so, under the name that other clients know it by. */
const poolerParameter = 'pgbouncer';
/** Which of several servers is wanted. That is found out here, and always the one that takes writes. */
const serverParameter = 'target_session_attrs';

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/s;

/** Reads the address of a database as it stands in the configuration. */
export function databaseAddress(configuredUrl: string, connectionsMax: number): DatabaseAddress {
  const [, beginning = '', hosts = '', path = '', query = ''] = parts.exec(configuredUrl) ?? [];
  const parameters = new URLSearchParams(query);
  const isPooled = parameters.get(poolerParameter) === 'true';
  parameters.delete(poolerParameter);
  parameters.delete(serverParameter);
  const end = parameters.size === 0 ? path : `${path}?${parameters}`;
  return { urls: hosts.split(',').map((host) => `${beginning}${host}${end}`), connectionsMax, isPooled };
}
