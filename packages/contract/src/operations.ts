/**
 * One entry for every route of the service. The router, the ordered checks, the OpenAPI description, the reference page and the tests all
 * read this table. The entries are in `operations/`, by subject.
 *
 * @see docs/contract.md §5 to §9
 */
import { keysOf } from './keys.ts';
import type { Operation } from './operation.ts';
import { auditOperations } from './operations/audit.ts';
import { consoleOperations } from './operations/console.ts';
import { documentationOperations } from './operations/documentation.ts';
import { flagOperations } from './operations/flags.ts';
import { identityOperations } from './operations/identity.ts';
import { managementOperations } from './operations/management.ts';
import { mergeOperations } from './operations/merge.ts';
import { pageOperations } from './operations/pages.ts';
import { playerOperations } from './operations/players.ts';
import { proposalOperations } from './operations/proposals.ts';
import { schemaOperations } from './operations/schemas.ts';
import { serviceOperations } from './operations/service.ts';
import { serviceAccountOperations } from './operations/service-accounts.ts';
import { signInOperations } from './operations/sign-in.ts';
import { stateOperations } from './operations/state.ts';
import { teamOperations } from './operations/team.ts';
import { webhookOperations } from './operations/webhooks.ts';

export * from './operation.ts';

export const operations = {
  ...stateOperations,
  ...proposalOperations,
  ...schemaOperations,
  ...playerOperations,
  ...mergeOperations,
  ...flagOperations,
  ...signInOperations,
  ...managementOperations,
  ...teamOperations,
  ...auditOperations,
  ...serviceAccountOperations,
  ...webhookOperations,
  ...identityOperations,
  ...pageOperations,
  ...consoleOperations,
  ...documentationOperations,
  ...serviceOperations,
} as const;

export type OperationId = keyof typeof operations;
/** Operations that send pages to people. */
export type PageId = { [Id in OperationId]: (typeof operations)[Id] extends { page: true } ? Id : never }[OperationId];

/** Operations of the console. */
export type ConsoleId = {
  [Id in OperationId]: (typeof operations)[Id] extends { isUndescribed: true } ? Id : never;
}[OperationId];

/** Every operation with its id. */
export const allOperations = keysOf(operations).map((id): readonly [OperationId, Operation] => [id, operations[id]]);

/** The operations of the described interface: all except pages and console. */
export const describedOperations = allOperations.filter(([, { page, isUndescribed }]) => !page && !isUndescribed);
