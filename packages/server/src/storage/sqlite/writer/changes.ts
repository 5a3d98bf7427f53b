/** How the main thread sends changes to the writer, and keeps its memory and its listeners in step with them. */
import type { AccessChange, AccessListeners } from '../../access-changes.ts';
import type { ProjectKey, PublicState, WriteOutcome } from '../../store.ts';
import type { UserState } from '../../user-state-store.ts';
import type { RecordCache } from '../record-cache.ts';
import type { RecordName } from '../record-names.ts';
import type { CommandArguments, CommandName, CommandOutcome, EncodedWriteOutcome } from './commands.ts';
import type { WriteQueue } from './write-queue.ts';

/** About what a command without state holds, in characters. */
export const smallCommandCharacters = 1_000;

/** What a command about something that authorises does beside the database. */
export interface AccessEffect {
  /** The name of the cached record that it changes. */
  readonly record?: string;
  /** What it may take away. Whoever remembers that something exists, or that a key reaches it, is right after the others. */
  readonly takes?: AccessChange;
}

/**
 * Carries out a command about something that authorises. Listeners hear what it takes away before the promise resolves, and
 * also when it failed, since it may have been carried out.
 */
export type ChangeAccess = <Name extends CommandName>(
  effect: AccessEffect,
  command: Name,
  ...values: CommandArguments<Name>
) => Promise<CommandOutcome<Name>>;

/** Returns the function that sends such commands; `access` is whom it tells. */
export function createChangeAccess(cache: RecordCache, queue: WriteQueue, access: AccessListeners): ChangeAccess {
  return async ({ record, takes }, command, ...values) => {
    if (record !== undefined) cache.begin(record);
    let changed = true;
    try {
      const outcome = await queue.submit(smallCommandCharacters, command, ...values);
      changed = !withoutEffect.has(outcome);
      return outcome;
    } finally {
      if (record !== undefined) cache.end(record);
      if (changed && takes !== undefined) access.tell(takes);
    }
  };
}

const withoutEffect = new Set<unknown>([
  'already_exists',
  'no_account',
  'no_project',
  'absent',
  'superseded',
  undefined,
  0,
]);

/**
 * Carries out a conditional write, which `send` sends, of the record that `recordOf` a version is; and keeps that record
 * when it is certain to be current.
 */
export async function writeRecord<Record extends PublicState | UserState>(
  cache: RecordCache,
  name: RecordName<Record>,
  key: ProjectKey,
  send: () => Promise<EncodedWriteOutcome>,
  recordOf: (version: number) => Record,
): Promise<WriteOutcome> {
  cache.begin(name);
  let version: EncodedWriteOutcome;
  try {
    version = await send();
  } catch (error) {
    cache.end(name);
    throw error;
  }
  if (typeof version === 'number' && version > 0) {
    cache.endWrite(name, key, recordOf(version));
    return { kind: 'written', version };
  }
  cache.end(name);
  if (version === null) return { kind: 'no_project' };
  if (typeof version === 'object') return version;
  return { kind: 'conflict', currentVersion: version === 0 ? null : -version };
}
