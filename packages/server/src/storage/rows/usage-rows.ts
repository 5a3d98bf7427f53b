/** Turns rows of usage into records. */

import { dayMilliseconds } from '../../common/time/durations.ts';
import type { AccountUsage, DailyRequests, OwnLimits, QuotaLimits } from '../contract/usage.ts';
import { integerAt, optionalIntegerAt, type Row } from './columns.ts';

/** The columns of an account's own limits: null is the limit of the store, 0 is unlimited. */
export const limitColumns: Readonly<Record<keyof OwnLimits, string>> = {
  apiRequests: 'api_requests_max',
  projects: 'projects_max',
  endUsers: 'end_users_max',
  storageBytes: 'storage_bytes_max',
  requestsPerMinute: 'requests_per_minute_max',
};

/**
 * The row of a day in `api_requests`. Its time is one millisecond after the day's start, since a month may begin at the start, and has its
 * own row.
 */
export const rowOfDay = (dayStartsAt: number): number => dayStartsAt + 1;

/** The row in `api_requests` of a month's requests with public credentials. They also count in the row of the month. */
export const rowOfPublicPart = (monthStartsAt: number): number => monthStartsAt + 2;

/** SQL: whether a row of `api_requests` is that of a day. */
export const isRowOfDay = `month_starts_at % ${dayMilliseconds} = 1`;

export const toDailyRequests = (row: Row): DailyRequests => ({
  dayStartsAt: integerAt(row, 'day_starts_at'),
  requests: integerAt(row, 'requests'),
});

/** `quotas` are the default limits. */
export function toAccountUsage(row: Row, quotas: QuotaLimits): AccountUsage {
  const ownLimit = (name: keyof OwnLimits) => optionalIntegerAt(row, limitColumns[name]);
  const ownLimits = {
    apiRequests: ownLimit('apiRequests'),
    projects: ownLimit('projects'),
    endUsers: ownLimit('endUsers'),
    storageBytes: ownLimit('storageBytes'),
    requestsPerMinute: ownLimit('requestsPerMinute'),
  };
  return {
    used: {
      apiRequests: integerAt(row, 'api_requests'),
      projects: integerAt(row, 'projects'),
      endUsers: integerAt(row, 'end_users'),
      storageBytes: integerAt(row, 'storage_bytes'),
    },
    limits: {
      apiRequests: ownLimits.apiRequests ?? quotas.apiRequests,
      projects: ownLimits.projects ?? quotas.projects,
      endUsers: ownLimits.endUsers ?? quotas.endUsers,
      storageBytes: ownLimits.storageBytes ?? quotas.storageBytes,
    },
    ownLimits,
    publicApiRequests: integerAt(row, 'public_api_requests'),
  };
}

/**
 * The bytes of audit records that an account may have before they count as storage, so that limits set before they counted still allow as
 * much.
 */
const freeAuditBytes = 65_536;

/** SQL: the bytes that audit records, schemas and proposals add to the storage of the account in this row. */
export const countedBesideStates = `(CASE WHEN audit_bytes > ${freeAuditBytes} THEN audit_bytes - ${freeAuditBytes} ELSE 0 END + schema_bytes + proposal_bytes)`;
