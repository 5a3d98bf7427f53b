/** How the main thread sends changes of what authorises to the writer, and keeps its cache and its listeners in step. */
import type { AccessChange, AccessListeners } from '../../access-changes.ts';
import type { RecordCache } from '../record-cache.ts';
import type { CommandArguments, CommandName, CommandOutcome } from './commands.ts';
import type { WriteQueue } from './write-queue.ts';

/** About the size of a command without state, in characters. */
export const smallCommandCharacters = 1_000;

/** What else a command about something that authorises concerns. */
export interface AccessEffect {
  /** The name of the cached record that it changes. */
  readonly changes?: string | undefined;
  /** What it may take away. Undefined if it takes nothing away: caches of what exists or is allowed stay correct then. */
  readonly takes?: AccessChange | undefined;
  isWithoutEffect?(outcome: unknown): boolean;
}

/**
 * Carries out a command about something that authorises. Listeners are called with what it takes away before the promise resolves. They
 * are also called when it failed, because it may have been carried out.
 */
export type ChangeAccess = <Name extends CommandName>(
  effect: AccessEffect,
  command: Name,
  ...values: CommandArguments<Name>
) => Promise<CommandOutcome<Name>>;

/** Returns the function that sends such commands and calls the listeners in `access`. */
export function createChangeAccess(cache: RecordCache, queue: WriteQueue, access: AccessListeners): ChangeAccess {
  return async ({ changes: record, takes, isWithoutEffect = hasNoEffect }, command, ...values) => {
    if (record !== undefined) cache.begin(record);
    let changed = true;
    try {
      const outcome = await queue.submit(smallCommandCharacters, command, ...values);
      changed = !isWithoutEffect(outcome);
      return outcome;
    } finally {
      if (record !== undefined) cache.end(record);
      if (changed && takes !== undefined) access.tell(takes);
    }
  };
}

const withoutEffects = new Set<unknown>([
  'already_exists',
  'no_account',
  'no_project',
  'absent',
  'superseded',
  undefined,
  0,
]);
const hasNoEffect = (outcome: unknown): boolean => withoutEffects.has(outcome);
