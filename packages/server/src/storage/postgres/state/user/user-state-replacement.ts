/**
 * The statements that replace a user state. Each is a transaction on its own. After waiting for another write, a statement sees the row
 * that it waited for as that write left it, and everything else as it was when the statement began. Rows are therefore checked at the
 * moment of their change.
 */
import { nextVersionSql } from '../../../history/version-floors.ts';
import { type NamedValues, parameters, type Statement } from '../../connection/parameters.ts';
import { fitsBytes, fitsGuestBytes } from '../../usage/usage-sums.ts';
import { findingRepeat, type RepeatName, type RepeatSql, withoutRepeat, withRepeat } from '../repeats.ts';
import { keepVersion, keptNames, keptVersionOf } from './user-state-rows.ts';
import { common, current, ending, isOrdinary, partOf, raise, target } from './user-state-sql.ts';

const written = parameters(
  ...common.names,
  'stateText',
  'writtenAt',
  'expectedVersion',
  'author',
  'comment',
  /** The epoch of the token, and what stands for the player; both null if no token writes. */
  'epoch',
  'playerHash',
  'versionFloor',
);
/** Those with the counted bytes of the kept version. */
const counted = parameters(...written.names, 'keptBytes');
/** Those with the stored values of the kept version. */
const kept = parameters(...counted.names, ...keptNames);
const at = kept.at;

/** The names of the parameters of all replacements. */
type ReplacementName = (typeof kept.names)[number] | RepeatName;
export type ReplacementValues = NamedValues<ReplacementName>;

/** SQL for the version that a write replaces. */
interface KeepingSql {
  /** The bytes by which the usage grows. */
  readonly grown: string;
  /** The counted bytes of the kept versions afterwards. */
  readonly historyBytes: string;
  /** Whether the write fits, regardless of the account's usage. */
  readonly fits: string;
  /** A condition of the change. */
  readonly condition: string;
  /** Expressions of the WITH clause after `record` that add and delete versions. */
  readonly versions: string;
}

/** The version is kept. The caller knows all of it, since a stored version never changes. */
const keeping: KeepingSql = {
  grown: `${at.stateBytes}::bigint - user_states.state_bytes + ${at.keptBytes}::bigint`,
  historyBytes: `user_states.history_bytes + ${at.keptBytes}::bigint`,
  fits: 'bytes_max = 0',
  condition: '',
  versions: `kept_version AS (
    ${keepVersion.select(keptVersionOf(at))}
    FROM record
    RETURNING 1
  ), `,
};

/**
 * The version is not kept, and earlier kept ones are dropped. The statement sees all of them if it sees the preceding write, which it
 * looks for only if anything is kept. A shorter state always has room.
 */
const dropping: KeepingSql = {
  grown: `${at.stateBytes}::bigint - user_states.state_bytes - user_states.history_bytes`,
  historyBytes: '0',
  fits: `bytes_max = 0 OR ${at.stateBytes}::bigint <= user_states.state_bytes`,
  condition: `AND (user_states.history_bytes = 0
        OR EXISTS (SELECT 1 FROM current WHERE current.version = ${at.expectedVersion}::bigint))`,
  versions: `dropped AS (
    DELETE FROM user_state_versions AS versions USING record, current
    WHERE current.history_bytes > 0 AND versions.account_id = ${at.accountId} AND versions.project_id = record.project_id
      AND versions.record_id = record.record_id
    RETURNING 1
  ), `,
};

/** The new version. The caller can compute it too. */
const replacing = `(${nextVersionSql(`${at.expectedVersion}::bigint`, `${at.versionFloor}::bigint`)})`;

/** The source of a raised ceiling: the environment, if the record has the expected version and the token may still write. */
const expected = `target JOIN current ON current.version = ${at.expectedVersion}::bigint AND NOT EXISTS (SELECT 1 FROM ending)`;

interface ReplacementSql {
  readonly keeping: KeepingSql;
  readonly repeat: RepeatSql;
  /** Further columns of the result. */
  readonly columns: string;
}

/** Replaces a record. */
const replacement = ({ keeping, repeat, columns }: ReplacementSql) => `
  WITH ${repeat.known}target AS (${target}), current AS (${current}), ending AS (${ending(at.epoch, at.playerHash)}), raised AS (
    ${raise(replacing, `${at.versionFloor}::bigint`, expected)}
  ), record AS (
    UPDATE user_states
    SET version = ${replacing}, updated_at = ${at.writtenAt}, grown_bytes = ${keeping.grown},
      state_bytes = ${at.stateBytes}::bigint, state = ${at.stateText}, author = ${at.author}::text, comment = ${at.comment}::text,
      history_version = ${replacing}, history_bytes = ${keeping.historyBytes}
    FROM target
    WHERE user_states.account_id = ${at.accountId} AND user_states.project_id = target.project_id
      AND user_states.environment = ${at.environment} AND user_states.end_user_id = ${at.playerId}
      AND user_states.version = ${at.expectedVersion}::bigint
      ${keeping.condition}
      AND (target.user_version_ceiling >= ${replacing} OR EXISTS (SELECT 1 FROM raised))
      AND (${keeping.fits} OR ${fitsBytes(at.accountId, `${keeping.grown} + ${at.marginBytes}::bigint`)})
      AND (${isOrdinary} OR user_states.is_linked = 1 OR ${keeping.fits}
        OR ${fitsGuestBytes(at.accountId, `${keeping.grown} + ${at.marginBytes}::bigint`)})
      AND NOT EXISTS (SELECT 1 FROM ending) ${repeat.isNew}
    RETURNING user_states.project_id, user_states.record_id, user_states.created_micros, user_states.version, user_states.grown_bytes,
      user_states.is_linked
  ), ${keeping.versions}usage AS (
    UPDATE user_usage SET bytes = user_usage.bytes + record.grown_bytes
    FROM record
    WHERE user_usage.account_id = ${at.accountId} AND user_usage.project_id = record.project_id
      AND user_usage.part = ${partOf('record')}
      AND record.grown_bytes <> 0
    RETURNING 1
  )${repeat.kept('record', at.writtenAt)}
  SELECT current.version, current.state_bytes, current.is_linked, false AS is_new, target.bytes_max,
    EXISTS (SELECT 1 FROM record) AS is_written, EXISTS (SELECT 1 FROM ending) AS has_ended${repeat.columns}${columns}
  FROM target LEFT JOIN current ON true`;

/** The other values that the caller needs to add rows for the record. */
const recordColumns = ['project_id', 'record_id', 'created_micros']
  .map((column) => `, (SELECT ${column} FROM record) AS ${column}`)
  .join('');

/** The replacements without and with a key to repeat them. */
interface Replacements {
  readonly plain: Statement<ReplacementName>;
  readonly once: Statement<ReplacementName>;
}

/** Statements that do all of a write. */
function whole({ names }: { readonly names: readonly ReplacementName[] }, keeping: KeepingSql): Replacements {
  const repeat = withRepeat(names);
  return {
    plain: { names, text: replacement({ keeping, repeat: withoutRepeat, columns: '' }) },
    once: { names: repeat.names, text: replacement({ keeping, repeat, columns: '' }) },
  };
}

/** Statements for a distributed database, which add no rows: `distributed-writes.ts` does so after them. */
function head({ names }: { readonly names: readonly ReplacementName[] }, keeping: KeepingSql): Replacements {
  const repeat = findingRepeat(names);
  return {
    plain: { names, text: replacement({ keeping, repeat: withoutRepeat, columns: recordColumns }) },
    once: { names: repeat.names, text: replacement({ keeping, repeat, columns: recordColumns }) },
  };
}

/** The statements that replace a record, by whether they keep the version that they replace. */
export type ReplacementStatements = Readonly<Record<'dropping' | 'keeping', Replacements>>;

export const replacements = {
  whole: { dropping: whole(written, dropping), keeping: whole(kept, keeping) },
  head: { dropping: head(written, dropping), keeping: head(counted, { ...keeping, versions: '' }) },
} as const satisfies Readonly<Record<'whole' | 'head', ReplacementStatements>>;
