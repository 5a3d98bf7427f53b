/** Checks the texts of versions: each must match the text that was written. */
import { damageOf, documentName, HistoryInspection } from '../../history/inspection.ts';
import type { Row } from '../../rows/columns.ts';
import type { Query, Value } from '../connection/query.ts';

/** Versions in memory at a time, in addition to one run. */
const rowsAtOnce = 64;
/** How many damaged documents are listed. */
const namedMax = 20;

/** Returns the faults in the texts of versions, at most 20. Reads all versions and computes every text. */
export async function damagedTexts(query: Query): Promise<string[]> {
  const found: string[] = [];
  const tell = (row: Row, damaged: readonly string[]) => found.push(...damageOf(damaged, documentName(row)));
  let inspection = new HistoryInspection();
  let last: Row | undefined;
  for (;;) {
    const rows = await query(pageStatement(last), last && positionOf(last));
    for (const row of rows) {
      if (last !== undefined && !isSameDocument(row, last)) {
        tell(last, inspection.end());
        inspection = new HistoryInspection();
      }
      tell(row, inspection.add(row));
      last = row;
    }
    if (rows.length < rowsAtOnce || found.length >= namedMax) break;
  }
  if (last !== undefined) tell(last, inspection.end());
  return found.slice(0, namedMax);
}

/** The next versions, newest first, up to `rowsAtOnce` rows. Deleted versions that are not swept yet have no environment. */
const pageStatement = (last: Row | undefined) => `
  SELECT page.*, slug FROM (
    SELECT account_id, project_id, environment, version, depth, checksum, state_bytes, state FROM public_state_versions
    ${last === undefined ? '' : 'WHERE (account_id, project_id, environment, version) < ($1, $2::uuid, $3::smallint, $4::bigint)'}
    ORDER BY account_id DESC, project_id DESC, environment DESC, version DESC LIMIT ${rowsAtOnce}
  ) AS page LEFT JOIN projects USING (account_id, project_id)
  ORDER BY account_id DESC, project_id DESC, environment DESC, version DESC`;

const positionOf = (row: Row) => [row.account_id, row.project_id, row.environment, row.version] as Value[];

const isSameDocument = (one: Row, other: Row): boolean =>
  one.project_id === other.project_id && one.environment === other.environment && one.account_id === other.account_id;
