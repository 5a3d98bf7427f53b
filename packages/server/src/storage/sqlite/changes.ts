/** How the main thread sends changes to the writer, and keeps its memory and its listeners in step with them. */
import type { Listeners } from '../listeners.ts';
import type { ProjectKey, PublicState, WriteOutcome } from '../store.ts';
import type { UserState } from '../user-state-store.ts';
import type { CommandArguments, CommandName, CommandOutcome, EncodedWriteOutcome } from './commands.ts';
import type { RecordCache, RecordName } from './record-cache.ts';
import type { WriteQueue } from './write-queue.ts';

/** About what a command without state holds, in characters. */
export const smallCommandCharacters = 1_000;

/**
 * Carries out a command about what authorises. `name` is what of the cache it changes, if anything. When it may take
 * something away, listeners are called before the promise resolves, and also when it failed, since it may have been carried
 * out.
 */
export type ChangeAccess = <Name extends CommandName>(
  name: string | null,
  command: Name,
  ...values: CommandArguments<Name>
) => Promise<CommandOutcome<Name>>;

/** Returns the function that sends such commands; `access` is whom it tells. */
export function createChangeAccess(cache: RecordCache, queue: WriteQueue, access: Listeners): ChangeAccess {
  return async (name, command, ...values) => {
    if (name !== null) cache.begin(name);
    let changed = true;
    try {
      const outcome = await queue.submit(smallCommandCharacters, command, ...values);
      changed = !withoutEffect.has(outcome);
      return outcome;
    } finally {
      if (name !== null) cache.end(name);
      if (changed && !takesNothing.has(command)) access.tell();
    }
  };
}

/** Whoever remembers that something exists, or that a key reaches it, remembers right after these as well. */
const takesNothing: ReadonlySet<CommandName> = new Set([
  'createAccount',
  'createDeveloper',
  'createProject',
  'createApiKey',
  'renameAccount',
  'renameProject',
]);

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
