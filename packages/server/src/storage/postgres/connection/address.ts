/** The address of a database, and how to reach it. */

export interface DatabaseAddress {
  /**
   * The URL of each server, `postgres://…`, without the parameters that only this program reads. Of several servers, the one that accepts
   * writes is used.
   */
  readonly urls: readonly string[];
  readonly connectionsMax: number;
  /**
   * Whether there is a pooler in between, for example PgBouncer in transaction mode. It gives every transaction another connection, so
   * nothing can be prepared and no connection has its own settings.
   */
  readonly isPooled: boolean;
  /** How long connecting to one of the servers may take. */
  readonly connectMilliseconds: number;
}

/** The URL parameter for a pooler. Other clients use the same name. */
const poolerParameter = 'pgbouncer';
/** Selects one of several servers. It is ignored: the server that accepts writes is always found. */
const serverParameter = 'target_session_attrs';

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/s;

/**
 * Connecting may take as long as an answer, within these bounds: over TLS it takes several rounds, and a server that does not respond is
 * skipped in favour of the next one, however long answers may take.
 */
const connectMillisecondsMin = 2_000;
const connectMillisecondsMax = 10_000;

/** Reads the address of a database from the configured URL. */
export function databaseAddress(configuredUrl: string, connectionsMax: number, answerMilliseconds = 0): DatabaseAddress {
  const [, beginning = '', hosts = '', path = '', query = ''] = parts.exec(configuredUrl) ?? [];
  const parameters = new URLSearchParams(query);
  const isPooled = parameters.get(poolerParameter) === 'true';
  parameters.delete(poolerParameter);
  parameters.delete(serverParameter);
  const end = parameters.size === 0 ? path : `${path}?${parameters}`;
  return {
    urls: hosts.split(',').map((host) => `${beginning}${host}${end}`),
    connectionsMax,
    isPooled,
    connectMilliseconds: Math.min(Math.max(answerMilliseconds, connectMillisecondsMin), connectMillisecondsMax),
  };
}
