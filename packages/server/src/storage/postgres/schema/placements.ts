/** Where each table is in a database of several machines. The shared tables declare it themselves. */
import type { Placement } from '../../sql/schema/declaration.ts';
import { sharedTable, sharedTableNames } from '../../sql/schema/tables.ts';

const withEnvironments: Placement = { by: 'account_id', with: 'environments' };

/** The tables of this engine, and of the migrations. */
const ownPlacements: Readonly<Record<string, Placement>> = {
  environments: { by: 'account_id', with: null },
  public_state_versions: withEnvironments,
  user_states: withEnvironments,
  user_state_versions: withEnvironments,
  end_users: withEnvironments,
  user_usage: withEnvironments,
  end_user_floors: withEnvironments,
  write_repeats: withEnvironments,
  // Deletions of rows on every machine read it.
  orphans: 'reference',
  authorization_codes: 'managed',
  refresh_families: 'managed',
  rate_windows: 'local',
  open_streams: 'local',
  access_changes: 'local',
  readiness_probes: 'local',
  heartbeats: 'local',
  installation: 'local',
  incoming_copy: 'local',
  migrations: 'local',
};

/** All tables by name, each after the table that it is placed with. */
export const placements: Readonly<Record<string, Placement>> = {
  ...ownPlacements,
  ...Object.fromEntries(sharedTableNames.map((name) => [name, sharedTable(name).placement])),
};
