/**
 * Pages of user state, newest record first. The order of creation never changes while a record exists. One statement finds the page, to
 * save round trips, and long states are in a separate table, from which only those on the page are read.
 */

import type { Page, PagePosition } from '../../../contract/pages.ts';
import type { PublicStateKey } from '../../../contract/public-states.ts';
import type { ListedUserState, UserStatePageRequest } from '../../../contract/user-states.ts';
import { integerAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { noProject, toListedUserState } from '../../../rows/state-rows.ts';
import type { Database } from '../../connection/database.ts';
import type { Row } from '../../connection/query.ts';

/** The position after every record. */
const newest = [Number.MAX_SAFE_INTEGER, 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;
const tiePattern = /^(\d{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns a page. The tie of a position is its record's position in the order of creation. */
export async function listUserStates(
  database: Database,
  { accountId, slug, environment }: PublicStateKey,
  { after, itemsMax, bytesMax = Number.MAX_SAFE_INTEGER }: UserStatePageRequest,
): Promise<{ readonly kind: 'page'; readonly page: Page<ListedUserState> } | { readonly kind: 'no_project' }> {
  const position = after === null ? newest : parsePosition(after);
  if (position === undefined) return { kind: 'page', page: { items: [], next: null } };
  // No row: no such project. A row without `end_user_id`: no record is left. One row more than the page holds shows whether anything
  // follows. A row without `state` is after the end of the page.
  const rows = await database.query(
    `SELECT page.end_user_id, page.record_id, page.created_micros, page.updated_at, page.version, page.state_bytes,
       CASE WHEN page.rank = 1 OR (page.rank <= $6 AND page.bytes <= $7) THEN page.state END AS state
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN LATERAL (
       SELECT found.*, row_number() OVER newest AS rank, sum(state_bytes) OVER newest AS bytes
       FROM (
         SELECT end_user_id, record_id, created_micros, updated_at, version, state_bytes, state
         FROM user_states
         WHERE user_states.account_id = $1 AND user_states.project_id = environments.project_id
           AND user_states.environment = environments.environment AND (created_micros, record_id) < ($4, $5::uuid)
         ORDER BY created_micros DESC, record_id DESC LIMIT $8
       ) AS found
       WINDOW newest AS (ORDER BY created_micros DESC, record_id DESC)
     ) AS page ON true
     WHERE accounts.account_id = $1 AND environments.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
     ORDER BY page.created_micros DESC, page.record_id DESC`,
    [accountId, slug, environmentNumbers[environment], ...position, itemsMax, bytesMax, itemsMax + 1],
  );
  if (rows.length === 0) return noProject;
  const found = rows.filter((row) => row.end_user_id !== null);
  const items = found.filter((row) => row.state !== null);
  const last = items.at(-1);
  const next = found.length > items.length && last !== undefined ? positionOf(last) : null;
  return { kind: 'page', page: { items: items.map(toListedUserState), next } };
}

function positionOf(row: Row): PagePosition {
  const createdMicros = integerAt(row, 'created_micros');
  return { createdAt: Math.floor(createdMicros / 1000), tie: `${createdMicros}.${row.record_id}` };
}

/** Undefined for a tie from a different list. */
function parsePosition({ tie }: PagePosition): readonly [number, string] | undefined {
  const [, createdMicros, recordId] = tiePattern.exec(tie) ?? [];
  return createdMicros === undefined || recordId === undefined ? undefined : [Number(createdMicros), recordId];
}
