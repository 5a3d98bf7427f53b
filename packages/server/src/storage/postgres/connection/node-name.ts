import { newestMigration } from '../../sql/releases.ts';

/** The name that connections of nodes have: it says which migration they know. Those of 0.1.0 say nothing. */
export const connectionName = `holdfast schema ${newestMigration}`;
