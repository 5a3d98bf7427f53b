/** Rules over several fields of a record, from any source. @see values.ts */
import type { TransferKind, TransferRecord } from './kinds.ts';

/** Returns what is wrong with the combination of a record's fields; undefined if it is valid. */
export const combinationFault = (kind: TransferKind, record: TransferRecord): string | undefined => rules[kind]?.(record);

/** Rules over several fields of a record: each returns the fault; undefined if there is none. */
const rules: Partial<Readonly<Record<TransferKind, (record: TransferRecord) => string | undefined>>> = {
  public_state_versions: (record) => sizeFault(record, record.depth === 0),
  user_states: (record) => sizeFault(record, true),
  user_state_versions: (record) => sizeFault(record, Number(record.form) % 2 === 0),
  audit_records: ({ action, detail }) =>
    action !== 'audit.summarize' || Object.values(JSON.parse(String(detail))).every(isSummary)
      ? undefined
      : '"detail" is no summary',
  sign_ins(record) {
    if ((record.slug === null) !== (record.environment === null))
      return 'has a project without an environment, or the reverse';
    const times = ['created_at', 'idle_expires_at', 'absolute_expires_at'].filter((field) => record[field] === null);
    if (times.length % 3 !== 0 || (times.length === 3) !== (record.family_id === null)) return 'is half a session';
    return undefined;
  },
};

/** The counted size of a document must be its actual size. */
function sizeFault({ state, state_bytes: size }: TransferRecord, isWhole: boolean): string | undefined {
  if (typeof state !== 'string' || typeof size !== 'number') return undefined;
  const isRight = isWhole ? Buffer.byteLength(state) === size : state.length <= size;
  return isRight ? undefined : 'counts with another size than it has';
}

/** Whether part of a summary can be counted further. */
const isSummary = (part: unknown): boolean => {
  const { to } = part as { readonly to?: { readonly count?: unknown } | null };
  return Number.isSafeInteger(to?.count);
};
