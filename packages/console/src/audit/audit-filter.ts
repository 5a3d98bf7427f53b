/** Which records of the audit trail are asked for. */
import type { CallResult } from '@holdfast/contract/call';
import { dayOf, daysAfter } from '../ui/local-day.ts';

export type AuditRecord = CallResult<'listAuditRecords'>['items'][number];

/** The days up to today that can be chosen, and their words in addresses. */
export const auditPeriods = { '1d': 1, '7d': 7, '30d': 30 } as const;

export interface AuditFilter {
  readonly action?: string;
  /** The id of the actor. */
  readonly actor?: string;
  /** The slug of a project. */
  readonly project?: string;
  /** One of the periods. Days are those of this browser's zone. */
  readonly last?: string;
  /** The first and the last day, without `last`. */
  readonly from?: string;
  readonly to?: string;
}

/** What is filtered here. */
export interface LocalFilter {
  readonly project: string | undefined;
  readonly since: number;
  /** The first moment that is too late. */
  readonly until: number;
}

/** The days up to today that a filter asks for. */
export const daysOf = ({ last }: AuditFilter): number | undefined =>
  Object.entries(auditPeriods).find(([word]) => word === last)?.[1];

export function localFilterOf(filter: AuditFilter, now: Date = new Date()): LocalFilter {
  const { project, from, to } = filter;
  const days = daysOf(filter);
  const first = days === undefined ? dayOf(from) : daysAfter(now, 1 - days);
  const last = days === undefined ? dayOf(to) : undefined;
  return {
    project,
    since: first?.getTime() ?? Number.NEGATIVE_INFINITY,
    until: last === undefined ? Number.POSITIVE_INFINITY : daysAfter(last, 1).getTime(),
  };
}

/** Whether a record is about the project, and in the time. */
export function matches(
  { target, at }: Pick<AuditRecord, 'target' | 'at'>,
  { project, since, until }: LocalFilter,
): boolean {
  const time = Date.parse(at);
  const [kind, slug] = target.split('/');
  return since <= time && time < until && (project === undefined || (kind === 'projects' && slug === project));
}
