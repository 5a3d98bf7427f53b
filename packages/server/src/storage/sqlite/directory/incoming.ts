/** A copy of another store on its way into a data directory: it bears another name than a database until it is complete. */
import { existsSync } from 'node:fs';
import { incompleteCopy } from '../../transfer.ts';
import { databasePath } from './database.ts';

export const incomingPath = (dataDir: string): string => `${databasePath(dataDir)}.incoming`;

/** Throws an `Error` when a data directory holds a copy that is not complete, and no database. */
export function demandComplete(dataDir: string): void {
  if (existsSync(databasePath(dataDir)) || !existsSync(incomingPath(dataDir))) return;
  throw new Error(`cannot open the data directory: ${incompleteCopy(dataDir)}`);
}
