import { newestMigration } from '../../sql/releases.ts';

/** The connection name of nodes: it says which migration they know. Connections of 0.1.0 do not say. */
export const connectionName = `holdfast schema ${newestMigration}`;
