/** Wires up schemas: what checks writes against them, and the handlers of their routes. */
import { setTimeout } from 'node:timers/promises';
import type { Flags } from '../flags/flags.ts';
import { schemaHandlers } from '../http/routes/schemas.ts';
import type { DisplayNames } from '../management/display-names.ts';
import type { Evaluator } from '../state/evaluator.ts';
import { flagCheck } from '../state/flag-check.ts';
import { SchemaCache } from '../state/schema-cache.ts';
import { SchemaCheck } from '../state/schema-check.ts';
import { SchemaReports } from '../state/schema-reports.ts';
import { Schemas } from '../state/schemas.ts';
import type { Part, Wiring } from './wiring.ts';

/** Within this time every node knows of an access change, or remembers nothing while it cannot look. @see Store.onAccessChange */
const accessChangeMs = 1_000;

interface SchemaWiring extends Pick<Wiring, 'store' | 'config'> {
  readonly evaluator: Evaluator;
  readonly flags: Flags;
  readonly names: DisplayNames;
}

export interface SchemaParts extends Part {
  readonly register: SchemaCache;
}

/** Wires up schemas. */
export function createSchemas({ store, config, evaluator, flags, names }: SchemaWiring): SchemaParts {
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
