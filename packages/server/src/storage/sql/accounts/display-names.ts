/** Names of members and service accounts, for records that mention many of them. */

import type { KnownName, Nameless } from '../../contract/members.ts';
import { decodedTextAt, optionalDecodedTextAt } from '../../rows/columns.ts';
import type { EngineSql } from '../engine-sql.ts';
import { type Steps, together } from '../steps.ts';
import { developerHash } from '../users/directories.ts';
import { type Setting, smallRead } from '../verb.ts';

/** SQL for each list: the names of the holders in account `$2` that the JSON list `$1` names. Each reads along an index. */
const lookUps = ({ given, givenBytes }: EngineSql): Readonly<Record<KnownName['by'], string>> => ({
  subjects: `SELECT subject AS id, name, email FROM members
    WHERE account_id = $2 AND developer_hash IN (SELECT ${givenBytes} FROM ${given})`,
  memberIds: `SELECT member_id AS id, name, email FROM members
    WHERE account_id = $2 AND member_id IN (SELECT value ->> 0 FROM ${given})`,
  serviceAccountIds: `SELECT service_account_id AS id, name, CAST(NULL AS text) AS email FROM service_accounts
    WHERE account_id = $2 AND service_account_id IN (SELECT value ->> 0 FROM ${given})`,
});

function* findNames(
  { engine }: Setting,
  accountId: string,
  issuer: string,
  nameless: Nameless,
): Steps<readonly KnownName[]> {
  const given = {
    ...nameless,
    subjects: nameless.subjects.map((subject) => Buffer.from(developerHash(issuer, subject)).toString('hex')),
  };
  const asked = (['subjects', 'memberIds', 'serviceAccountIds'] as const).filter((by) => given[by].length > 0);
  const sql = lookUps(engine);
  // A row for each that exists.
  const found = yield* together(
    asked.map((by) => ({ sql: sql[by], values: [JSON.stringify(given[by].map((each) => [each])), accountId] })),
  );
  return asked.flatMap((by, index) =>
    (found[index] ?? []).map((row) => ({
      by,
      id: by === 'subjects' ? decodedTextAt(row, 'id') : String(row.id),
      name: optionalDecodedTextAt(row, 'name'),
      email: optionalDecodedTextAt(row, 'email'),
    })),
  );
}

export const displayNameVerbs = {
  /** The names of some members, who are identified at `issuer`, and service accounts; whoever is gone is left out. */
  findNames: smallRead(findNames),
};
