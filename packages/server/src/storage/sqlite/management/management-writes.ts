import type { DatabaseSync } from 'node:sqlite';
import { builtInIssuerName } from '../../identity-store.ts';
import { decodeText, encodeText, toAccount, toProject } from '../../rows.ts';
import { developersNumber } from '../identity/directories.ts';
import { userRemoval } from '../identity/user-removal.ts';
import { usageChanges } from '../usage/usage-writes.ts';
import type { Commands } from '../writer/commands.ts';
import { statement } from '../writer/statement.ts';

export type ManagementWrites = Pick<
  Commands,
  | 'checkReady'
  | 'createAccount'
  | 'renameAccount'
  | 'deleteAccount'
  | 'createProject'
  | 'renameProject'
  | 'deleteProject'
  | 'createApiKey'
  | 'deleteApiKey'
  | 'recordApiKeyUse'
  | 'addSigningKey'
  | 'deleteSigningKeys'
>;

/**
 * The writes that are rare: accounts, projects, keys. Each runs inside the writer's transaction and a savepoint of its own,
 * so several statements are as atomic as one.
 */
export function managementWrites(database: DatabaseSync): ManagementWrites {
  return {
    ...readiness(database),
    ...accounts(database),
    ...projects(database),
    ...apiKeys(database),
    ...signingKeys(database),
  };
}

function readiness(database: DatabaseSync): Pick<ManagementWrites, 'checkReady'> {
  // One row, always: a real write, so that a full or failing disk shows.
  const probe = statement(database, 'UPDATE readiness SET probes = probes + 1 WHERE id = 1');
  return {
    checkReady() {
      probe.changes();
    },
  };
}

function accounts(database: DatabaseSync): Pick<ManagementWrites, 'createAccount' | 'renameAccount' | 'deleteAccount'> {
  // No change: the account id is taken.
  const insert = statement(
    database,
    `INSERT INTO accounts (account_id, name, idp_tenant_id, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id) DO NOTHING`,
  );
  // No row: no such account.
  const rename = statement(
    database,
    'UPDATE accounts SET name = ?2 WHERE account_id = ?1 RETURNING account_id, name, idp_tenant_id, created_at',
  );
  // No row: no such account. Its projects, whose numbers lead back to it, are out of reach from here on.
  const remove = statement(database, 'DELETE FROM accounts WHERE account_id = ? RETURNING account_number');
  // Any number of rows.
  const removeApiKeys = statement(database, 'DELETE FROM api_keys WHERE account_number = ?');
  // A row for each month that is kept.
  const removeApiRequests = statement(database, 'DELETE FROM api_requests WHERE account_number = ?');
  // Any number of rows. Nobody has more than one account: these have none left.
  const removeDevelopers = statement(database, 'DELETE FROM developers WHERE account_number = ? RETURNING issuer, subject');
  const removeUser = userRemoval(database);
  // One row, always.
  const orphan = statement(database, "INSERT INTO orphans (kind, target) VALUES ('account', ?)");
  return {
    createAccount: (account) =>
      insert.changes(account.accountId, encodeText(account.name), account.idpTenantId, account.createdAt) === 0
        ? 'already_exists'
        : 'created',
    renameAccount(accountId, name) {
      const row = rename.get(accountId, encodeText(name));
      return row && toAccount(row);
    },
    deleteAccount(accountId) {
      const number = remove.get(accountId)?.account_number;
      if (number === undefined) return 'absent';
      removeApiKeys.changes(number);
      removeApiRequests.changes(number);
      for (const { issuer, subject } of removeDevelopers.all(number)) {
        if (decodeText(issuer) === builtInIssuerName) removeUser(developersNumber, decodeText(subject));
      }
      orphan.changes(number);
      return 'deleted';
    },
  };
}

function projects(database: DatabaseSync): Pick<ManagementWrites, 'createProject' | 'renameProject' | 'deleteProject'> {
  // No row: no such account.
  const findAccount = statement(database, 'SELECT account_number FROM accounts WHERE account_id = ?');
  // No row: the account has no such project.
  const find = statement(database, 'SELECT 1 FROM projects WHERE account_number = ? AND slug = ?');
  // No row: the slug is taken in this account.
  const insert = statement(
    database,
    `INSERT INTO projects (account_number, slug, name, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_number, slug) DO NOTHING RETURNING project_id`,
  );
  // One row for each environment that a deleted project of this key had written to.
  const raiseToFloors = statement(
    database,
    `INSERT INTO public_state_heads (head_key, version, newest_id)
     SELECT ?1 * 4 + environment, version, NULL FROM version_floors WHERE account_number = ?2 AND slug = ?3`,
  );
  // One row for each environment that end users of a deleted project of this key had written to.
  const raiseToUserFloors = statement(
    database,
    `INSERT INTO user_versions (head_key, version_floor, version_ceiling)
     SELECT ?1 * 4 + environment, version, version FROM user_version_floors WHERE account_number = ?2 AND slug = ?3`,
  );
  // No row: no such project.
  const rename = statement(
    database,
    `UPDATE projects SET name = ?3
     WHERE account_number = (SELECT account_number FROM accounts WHERE account_id = ?1) AND slug = ?2
     RETURNING ?1 AS account_id, slug, name, created_at`,
  );
  const usage = usageChanges(database);
  return {
    createProject({ accountId, slug, name, createdAt }, projectsMax) {
      const account = findAccount.get(accountId)?.account_number as number | undefined;
      if (account === undefined) return 'no_account';
      const refused = usage.refuseProject(account, projectsMax);
      if (refused !== undefined) return find.get(account, slug) === undefined ? refused : 'already_exists';
      const project = insert.get(account, slug, encodeText(name), createdAt)?.project_id;
      if (project === undefined) return 'already_exists';
      usage.addProject(account);
      raiseToFloors.changes(project, account, slug);
      raiseToUserFloors.changes(project, account, slug);
      return 'created';
    },
    renameProject(accountId, slug, name) {
      const row = rename.get(accountId, slug, encodeText(name));
      return row && toProject(row);
    },
    ...projectDeletion(database),
  };
}

function projectDeletion(database: DatabaseSync): Pick<ManagementWrites, 'deleteProject'> {
  // No row: no such project. Its state and keys, whose rows lead back to it, are out of reach from here on.
  const remove = statement(
    database,
    `DELETE FROM projects
     WHERE account_number = (SELECT account_number FROM accounts WHERE account_id = ?1) AND slug = ?2
     RETURNING project_id, account_number, end_users, user_state_bytes`,
  );
  // Any number of rows.
  const removeApiKeys = statement(database, 'DELETE FROM api_keys WHERE project_id = ?');
  // One row for each environment that was written to, or had a floor already.
  const keepFloors = statement(
    database,
    `INSERT INTO version_floors (account_number, slug, environment, version)
     SELECT ?1, ?2, head_key - ?3 * 4, version FROM public_state_heads WHERE head_key BETWEEN ?3 * 4 AND ?3 * 4 + 3
     ON CONFLICT DO UPDATE SET version = excluded.version`,
  );
  // One row for each environment that end users have written to, or that had a floor already.
  const keepUserFloors = statement(
    database,
    `INSERT INTO user_version_floors (account_number, slug, environment, version)
     SELECT ?1, ?2, head_key - ?3 * 4, version_ceiling FROM user_versions WHERE head_key BETWEEN ?3 * 4 AND ?3 * 4 + 3
     ON CONFLICT DO UPDATE SET version = excluded.version`,
  );
  const orphan = statement(database, orphanHeads);
  const removeHeads = statement(database, deleteHeads);
  const orphanUsers = statement(database, orphanEndUsers);
  const usage = usageChanges(database);
  return {
    deleteProject(accountId, slug) {
      const row = remove.get(accountId, slug);
      if (row === undefined) return 'absent';
      const { project_id: project, account_number: account } = row as { project_id: number; account_number: number };
      usage.removeProject({
        accountNumber: account,
        projectId: project,
        endUsers: row.end_users as number,
        userStateBytes: row.user_state_bytes as number,
      });
      removeApiKeys.changes(project);
      keepFloors.changes(account, slug, project);
      orphan.changes(project);
      removeHeads.changes(project);
      keepUserFloors.changes(account, slug, project);
      orphanUsers.changes(project);
      return 'deleted';
    },
  };
}

/** One row for each environment of a project that holds state: its chain of versions is to be swept. */
export const orphanHeads = `
  INSERT INTO orphans (kind, target)
  SELECT 'versions', newest_id FROM public_state_heads
  WHERE head_key BETWEEN ?1 * 4 AND ?1 * 4 + 3 AND newest_id IS NOT NULL`;
/** At most one row for each environment of a project. */
export const deleteHeads = 'DELETE FROM public_state_heads WHERE head_key BETWEEN ?1 * 4 AND ?1 * 4 + 3';

/** One row, always: what a project knows of its end users is to be swept. */
export const orphanEndUsers = "INSERT INTO orphans (kind, target) VALUES ('end_users', ?)";

function apiKeys(database: DatabaseSync): Pick<ManagementWrites, 'createApiKey' | 'deleteApiKey' | 'recordApiKeyUse'> {
  // No row: no such project.
  const findProject = statement(
    database,
    `SELECT account_number, project_id, (SELECT count(*) FROM api_keys WHERE api_keys.project_id = projects.project_id) AS keys
     FROM accounts JOIN projects USING (account_number) WHERE account_id = ? AND slug = ?`,
  );
  // One row, always. Two keys of one hash or id are a fault of the caller and fail.
  const insert = statement(
    database,
    `INSERT INTO api_keys (account_number, project_id, key_hash, key_id, name, start, access, environments,
       created_at, last_used_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // No change: this project has no such key.
  const remove = statement(
    database,
    `DELETE FROM api_keys WHERE key_id = ?3 AND project_id =
       (SELECT project_id FROM accounts JOIN projects USING (account_number) WHERE account_id = ?1 AND slug = ?2)`,
  );
  // No change: no such key, or it was used later than that.
  const use = statement(
    database,
    'UPDATE api_keys SET last_used_at = ?2 WHERE key_id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)',
  );
  return {
    createApiKey(key, keyHash, keysMax) {
      const { accountId, slug, keyId, start, access, createdAt, lastUsedAt, expiresAt } = key;
      const name = encodeText(key.name);
      const environments = key.environments.join(',');
      const project = findProject.get(accountId, slug);
      if (project === undefined) return 'no_project';
      const used = project.keys as number;
      if (used >= keysMax) return { kind: 'too_many', used };
      const place = [project.account_number as number, project.project_id as number];
      insert.changes(...place, keyHash, keyId, name, start, access, environments, createdAt, lastUsedAt, expiresAt);
      return 'created';
    },
    deleteApiKey: (accountId, slug, keyId) => (remove.changes(accountId, slug, keyId) === 0 ? 'absent' : 'deleted'),
    recordApiKeyUse(uses) {
      for (const { keyId, usedAt } of uses) use.changes(keyId, usedAt);
    },
  };
}

function signingKeys(database: DatabaseSync): Pick<ManagementWrites, 'addSigningKey' | 'deleteSigningKeys'> {
  const newest = (column: string) =>
    `(SELECT ${column} FROM signing_keys WHERE purpose = ?1 ORDER BY created_at DESC, signing_key_number DESC LIMIT 1)`;
  // No change: the newest key of the purpose is another one than expected.
  const insert = statement(
    database,
    `INSERT INTO signing_keys (purpose, key_id, public_jwk, sealed_private_jwk, created_at)
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE ${newest('key_id')} IS ?6`,
  );
  // Any number of rows, but never all.
  const remove = statement(
    database,
    `DELETE FROM signing_keys
     WHERE purpose = ?1 AND created_at < ?2 AND signing_key_number IS NOT ${newest('signing_key_number')}`,
  );
  return {
    addSigningKey: ({ purpose, keyId, publicJwk, sealedPrivateJwk, createdAt }, expectedNewest) =>
      insert.changes(purpose, keyId, publicJwk, sealedPrivateJwk, createdAt, expectedNewest) === 0 ? 'superseded' : 'added',
    deleteSigningKeys: (purpose, createdBefore) => remove.changes(purpose, createdBefore),
  };
}
