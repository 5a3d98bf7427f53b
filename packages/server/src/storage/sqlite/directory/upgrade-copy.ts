/** The copy of a database that is kept before a schema upgrade, for going back to the earlier program. */

import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { now } from '../../../common/time/clock.ts';
import { copyDatabase, writeLabel } from './backup.ts';
import { databasePath } from './database.ts';

/** The number of copies kept, one per upgrade. */
const copiesKept = 2;

const prefix = (dataDir: string): string => `${databasePath(dataDir)}.before-`;
const draftEnding = '.partial';

/**
 * Copies the database of a data directory, whose lock the caller holds, to a file next to it, named after the release `program` that it is
 * upgraded to. Returns the path of the copy. `holdfast restore` accepts it. It appears complete or not at all.
 */
export async function keepCopy(dataDir: string, program: string): Promise<string> {
  const takenAt = now();
  const copy = `${prefix(dataDir)}${program}-${new Date(takenAt).toISOString().replaceAll(/[-:.]/g, '')}`;
  const draft = `${copy}${draftEnding}`;
  await copyDatabase(dataDir, draft, () => undefined);
  writeLabel(draft, { takenAt, secretKey: null });
  renameSync(draft, copy);
  return copy;
}

/** Removes the oldest copies, down to the number kept. */
export function removeOldCopies(dataDir: string): void {
  const copies = beside(dataDir).sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  for (const copy of copies.slice(0, -copiesKept)) rmSync(copy, { force: true });
}

/** Removes the remains of an interrupted copy. */
export function removeDrafts(dataDir: string): void {
  for (const file of beside(dataDir)) if (/\.partial(?:-journal)?$/.test(file)) rmSync(file, { force: true });
}

function beside(dataDir: string): string[] {
  const name = basename(prefix(dataDir));
  return readdirSync(dataDir)
    .filter((entry) => entry.startsWith(name))
    .map((entry) => join(dataDir, entry));
}
