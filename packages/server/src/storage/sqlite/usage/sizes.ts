/** The size of the database. Records are counted in slices of a fraction of a millisecond, between which other work has a turn. */
import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { environments } from '@holdfast/contract';
import type { SizeVerbs } from '../../contract/engine-verbs.ts';
import { integerAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import type { Reader } from '../reader.ts';

/** Rows of a table that are read in one turn. */
const rowsMax = 500;
/** Entries of an index of user states, which are small. */
const entriesMax = 2_000;

/** One row, always. `last` is null after the last row. */
const countRows = (table: string, key: string, counted: string) =>
  `SELECT count(${counted}) AS found, max(${key}) AS last
   FROM (SELECT ${key}, ${counted} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${rowsMax})`;

/** At most `rowsMax` rows: projects with the number of their players. */
const listPlayers = `SELECT project_id, end_users FROM project_usage JOIN projects USING (project_id)
  WHERE project_id > ? ORDER BY project_id LIMIT ${rowsMax}`;

/** One row, always. `last` is null after the last user state of the environment. */
const countUserStates = `SELECT count(*) AS found, max(sequence) AS last FROM (
  SELECT sequence FROM user_states INDEXED BY user_states_by_creation
  WHERE project_id = ? AND environment = ? AND sequence > ? ORDER BY sequence LIMIT ${entriesMax})`;

/** Returns the store methods that measure the database. */
export function createSizes({ reader, path }: { readonly reader: Reader; readonly path: string }): SizeVerbs {
  /** Adds up slices until one is empty. */
  async function addUp(slice: (last: number) => Readonly<Record<string, unknown>> | undefined): Promise<number> {
    let sum = 0;
    for (let last = 0; ; await setImmediate()) {
      const row = slice(last) ?? { found: 0, last: null };
      sum += integerAt(row, 'found');
      if (row.last === null) return sum;
      last = integerAt(row, 'last');
    }
  }
  const rowsOf = (table: string) => addUp((last) => reader.get(countRows(table, 'rowid', 'rowid'), last));

  async function countPlayers(): Promise<{ readonly players: number; readonly userDocuments: number }> {
    let [players, userDocuments] = [0, 0];
    for (let last = 0; ; await setImmediate()) {
      const projects = reader.all(listPlayers, last);
      if (projects.length === 0) return { players, userDocuments };
      for (const row of projects) {
        last = integerAt(row, 'project_id');
        const inProject = integerAt(row, 'end_users');
        players += inProject;
        if (inProject > 0) userDocuments += await userStatesOf(last);
      }
    }
  }

  async function userStatesOf(projectId: number): Promise<number> {
    let userStates = 0;
    for (const environment of environments) {
      const number = environmentNumbers[environment];
      userStates += await addUp((last) => reader.get(countUserStates, projectId, number, last));
    }
    return userStates;
  }

  return {
    async measureBytes() {
      const [database, log] = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(() => undefined)));
      return { database: database?.size ?? null, log: log?.size ?? 0 };
    },
    async countRecords() {
      const { players, userDocuments } = await countPlayers();
      return {
        accounts: await rowsOf('accounts'),
        projects: await addUp((last) => reader.get(countRows('projects', 'project_id', 'project_id'), last)),
        users: await rowsOf('users'),
        players,
        publicDocuments: await addUp((last) => reader.get(countRows('public_state_heads', 'head_key', 'newest_id'), last)),
        userDocuments,
      };
    },
  };
}
