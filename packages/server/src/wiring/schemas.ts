/** Wires up schemas: what checks writes against them, and the handlers of their routes. */
import type { Flags } from '../flags/flags.ts';
import { schemaHandlers } from '../http/routes/schemas.ts';
import type { DisplayNames } from '../management/display-names.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import { flagCheck } from '../state/validation/flag-check.ts';
import { SchemaCheck } from '../state/validation/schema-check.ts';
import { Schemas } from '../state/validation/schemas.ts';
import { ViolationReports } from '../state/validation/violation-reports.ts';
import { WriteChecksCache } from '../state/validation/write-checks.ts';
import type { Part, Wiring } from './wiring.ts';

interface SchemaWiring extends Pick<Wiring, 'store' | 'isShared'> {
  readonly evaluator: Evaluator;
  readonly flags: Flags;
  readonly names: DisplayNames;
}

export interface SchemaParts extends Part {
  readonly checks: WriteChecksCache;
}

/** Wires up schemas. */
export function createSchemas({ store, isShared, evaluator, flags, names }: SchemaWiring): SchemaParts {
  const checkFlags = flagCheck(flags.check);
  const reports = new ViolationReports();
  const checks = new WriteChecksCache(store, reports, checkFlags);
  const schemas = new Schemas({ store, evaluator, reports, isShared });
  const check = new SchemaCheck({ store, evaluator, schemas, checkFlags });
  return { checks, handlers: schemaHandlers(schemas, check, names) };
}
