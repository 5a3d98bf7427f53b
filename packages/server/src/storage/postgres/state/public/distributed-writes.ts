/** Writes of public state in a distributed database: a statement that appends too would need several rounds to the account's machine. */
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { valuesOf } from '../../connection/parameters.ts';
import type { Query } from '../../connection/query.ts';
import { keepRepeat, keptRepeatValues } from '../repeats.ts';
import type { PublicStateWrite, PublicStateWritten } from './public-state-outcomes.ts';
import { appendVersion, versionValues } from './public-state-sql.ts';

/** Appends a version, and the key to repeat its write, after the row of the environment was written in the same transaction. */
export async function addWritten(
  query: Query,
  write: PublicStateWrite,
  { record: { version }, projectId }: Extract<PublicStateWritten, { kind: 'written' }>,
): Promise<void> {
  const { accountId, environment } = write.key;
  const { repeat, writtenAt } = write.next;
  const stored = versionValues(write);
  const { statement } = appendVersion;
  await Promise.all([
    query(
      statement.text,
      valuesOf(statement, {
        account_id: accountId,
        project_id: projectId,
        environment: environmentNumbers[environment],
        version,
        ...stored,
        comment_bytes: stored.comment_bytes || null,
      }),
    ),
    repeat && query(keepRepeat, keptRepeatValues(accountId, repeat, { version, writtenAt })),
  ]);
}
