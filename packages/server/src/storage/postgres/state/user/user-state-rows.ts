/** The rows that writes of user state add: one list of columns for each table, for statements that do everything and for single steps. */
import { type ReplacedUserState, replacedColumns } from '../../../history/replaced-user-state.ts';
import { insertInto } from '../../inserts.ts';

export const addRecord = insertInto(
  'user_states',
  'account_id',
  'project_id',
  'environment',
  'end_user_id',
  'record_id',
  'created_micros',
  'created_at',
  'updated_at',
  'version',
  'state_bytes',
  'grown_bytes',
  'state',
  'author',
  'comment',
  'history_version',
  'is_linked',
);

/** The parameters of a new record. */
export const recordNames = [
  'accountId',
  'environment',
  'playerId',
  'recordId',
  'writtenAt',
  'stateBytes',
  'stateText',
  'author',
  'comment',
] as const;

/** A new record, of parameters and SQL for what the database knows. */
export const recordOf = (
  at: Readonly<Record<(typeof recordNames)[number], string>>,
  { projectId, version, isLinked }: { readonly projectId: string; readonly version: string; readonly isLinked: string },
) => ({
  account_id: at.accountId,
  project_id: projectId,
  environment: at.environment,
  end_user_id: at.playerId,
  record_id: `${at.recordId}::uuid`,
  created_micros: '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint',
  created_at: at.writtenAt,
  updated_at: at.writtenAt,
  version,
  state_bytes: `${at.stateBytes}::bigint`,
  grown_bytes: `${at.stateBytes}::bigint`,
  state: at.stateText,
  author: `${at.author}::text`,
  comment: `${at.comment}::text`,
  history_version: version,
  is_linked: isLinked,
});

/** Follows an INSERT of `addRecord`: nothing is added if the player has a record. */
export const unlessThere = 'ON CONFLICT (account_id, project_id, end_user_id, environment) DO NOTHING';

export const keepVersion = insertInto(
  'user_state_versions',
  'account_id',
  'project_id',
  'record_id',
  'created_micros',
  'environment',
  ...replacedColumns,
);

/** The values of a kept version that its statement gets as parameters. */
export const keptNames = [
  'keptForm',
  'keptChecksum',
  'keptText',
  'keptWrittenAt',
  'keptStateBytes',
  'keptAuthor',
  'keptComment',
] as const;

type KeptName = 'accountId' | 'environment' | 'expectedVersion' | 'writtenAt' | (typeof keptNames)[number];

/** A kept version, of parameters. Its project, record and time of creation are those of the record. */
export const keptVersionOf = (at: Readonly<Record<KeptName, string>>) => ({
  account_id: at.accountId,
  environment: at.environment,
  version: `${at.expectedVersion}::bigint`,
  written_at: `${at.keptWrittenAt}::bigint`,
  replaced_at: at.writtenAt,
  state_bytes: `${at.keptStateBytes}::bigint`,
  form: `${at.keptForm}::smallint`,
  checksum: `${at.keptChecksum}::integer`,
  author: `${at.keptAuthor}::text`,
  comment: `${at.keptComment}::text`,
  state: `${at.keptText}::text`,
});

/** The values of a kept version. */
export const keptValues = ({ form, checksum, state, writtenAt, stateBytes, author, comment }: ReplacedUserState) => ({
  keptForm: form,
  keptChecksum: checksum,
  keptText: state,
  keptWrittenAt: writtenAt,
  keptStateBytes: stateBytes,
  keptAuthor: author,
  keptComment: comment,
});
