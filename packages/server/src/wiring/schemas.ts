/** Wires up schemas: what checks writes against them, and the handlers of their routes. */
import { setTimeout } from 'node:timers/promises';
import type { Flags } from '../flags/flags.ts';
import type { Handlers } from '../http/operation-request.ts';
import { schemaHandlers } from '../http/routes/schemas.ts';
import type { DisplayNames } from '../management/display-names.ts';
import type { Evaluator } from '../state/evaluator.ts';
import { flagCheck } from '../state/flag-check.ts';
import { SchemaCache } from '../state/schema-cache.ts';
import { SchemaCheck } from '../state/schema-check.ts';
import { SchemaReports } from '../state/schema-reports.ts';
import { Schemas } from '../state/schemas.ts';
import type { Wiring } from './wiring.ts';

/** Within this time every node knows of an access change, or remembers nothing while it cannot look. @see Store.onAccessChange */
const accessChangeMs = 1_000;

export interface SchemaWiring {
  readonly register: SchemaCache;
  readonly handlers: Handlers;
}

/** Wires up schemas. */
export function createSchemas(
  { store, config }: Wiring,
  evaluator: Evaluator,
  flags: Flags,
  names: DisplayNames,
): SchemaWiring {
  const checkFlags = flagCheck(flags.check);
  const reports = new SchemaReports();
  const register = new SchemaCache(store, reports, checkFlags);
  const isAlone = config.databaseUrl === undefined;
  const settled = async (): Promise<void> => {
    if (!isAlone) await setTimeout(accessChangeMs);
  };
  const schemas = new Schemas({ store, evaluator, reports, settled });
  const check = new SchemaCheck({ store, evaluator, schemas, checkFlags });
  return { register, handlers: schemaHandlers(schemas, check, names) };
}
