/** Daily request counts of the accounts' callers, by outcome. */

import { ofAccount } from '../../contract/read-owner.ts';
import type { FigurePosition, RequestFigure } from '../../contract/usage.ts';
import { decodedTextAt, integerAt, textAt } from '../../rows/columns.ts';
import { all, type Steps, together } from '../steps.ts';
import { slice } from '../upkeep/deletion-slices.ts';
import { largeRead, type Setting, smallRead, write } from '../verb.ts';

/** The size of one figure in a command, in characters. */
const figureCharacters = 150;
/** Figures deleted at a time. */
const sweptMax = 1_000;

const key = 'account_id, day_starts_at, slug, caller, code';

/** One row for each figure of an existing account. All processes add in the same order, to avoid deadlocks. */
const add = (given: string) => `
  INSERT INTO request_figures (${key}, requests)
  SELECT accounts.account_id, CAST(value ->> 1 AS bigint), coalesce(projects.slug, ''), value ->> 3, value ->> 4,
    CAST(sum(CAST(value ->> 5 AS bigint)) AS bigint)
  FROM ${given} JOIN accounts ON accounts.account_id = value ->> 0
    LEFT JOIN projects ON projects.account_id = value ->> 0 AND projects.slug = value ->> 2
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (${key}) DO UPDATE SET requests = request_figures.requests + excluded.requests`;

function* addFigures({ engine }: Setting, figures: readonly RequestFigure[]): Steps<void> {
  const given = figures.map(({ accountId, dayStartsAt, slug, caller, code, requests }) => [
    accountId,
    dayStartsAt,
    slug,
    caller,
    code,
    requests,
  ]);
  yield* all(add(engine.given), [JSON.stringify(given)]);
}

function* listFigures(
  _: Setting,
  accountId: string,
  { dayStartsAt, slug, caller, code }: FigurePosition,
  figuresMax: number,
): Steps<readonly RequestFigure[]> {
  // At most `figuresMax` rows.
  const rows = yield* all(
    `SELECT ${key}, requests FROM request_figures
     WHERE account_id = $1 AND (day_starts_at, slug, caller, code) > ($2, $3, $4, $5)
     ORDER BY day_starts_at, slug, caller, code LIMIT $6`,
    [accountId, dayStartsAt, slug, caller, code, figuresMax],
  );
  return rows.map((row) => ({
    accountId,
    dayStartsAt: integerAt(row, 'day_starts_at'),
    slug: textAt(row, 'slug'),
    caller: textAt(row, 'caller'),
    code: textAt(row, 'code'),
    requests: integerAt(row, 'requests'),
  }));
}

function* nameCallers({ engine }: Setting, accountId: string, ids: readonly string[]): Steps<ReadonlyMap<string, string>> {
  const named = (table: string, id: string) => ({
    sql: `SELECT ${id} AS id, name FROM ${table} WHERE ${id} IN (SELECT value ->> 0 FROM ${engine.given}) AND account_id = $2`,
    values: [JSON.stringify(ids.map((each) => [each])), accountId],
  });
  // A row for each existing id.
  const found = yield* together([named('api_keys', 'key_id'), named('service_accounts', 'service_account_id')]);
  return new Map(found.flat().map((row) => [textAt(row, 'id'), decodedTextAt(row, 'name')]));
}

function* sweep(_: Setting, before: number): Steps<number> {
  // A row for each deleted figure.
  return (yield* all(slice('request_figures', key, 'day_starts_at < $1', sweptMax), [before])).length;
}

export const requestFigureVerbs = {
  /**
   * Adds to the figures. Figures of an unknown project count for the account without a project; figures of an unknown account are dropped.
   * Not an access change.
   */
  addRequestFigures: write(addFigures, {
    charactersOf: (figures) => figures.length * figureCharacters,
    isolation: 'statement',
  }),
  /** The next figures of an account after a position, in order, at most `figuresMax`. */
  listRequestFigures: largeRead(listFigures, ofAccount),
  /** The names of an account's API keys and service accounts with these ids; unknown ids are left out. */
  nameCallers: smallRead(nameCallers),
  /** Deletes some of the figures of days that began before a time. Returns the number deleted. */
  sweepRequestFigures: write(sweep, { isolation: 'statement' }),
};
