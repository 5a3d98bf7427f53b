/** What can be asked of the database. Each function is one consistent look at it. */

import {
  beforeFirst,
  environmentNumbers,
  pageOf,
  toAccount,
  toApiKey,
  toProject,
  toPublicState,
  toSigningKey,
} from '../rows.ts';
import {
  type Account,
  type ApiKey,
  type Page,
  type PageRequest,
  type Project,
  type ProjectKey,
  type PublicState,
  type PublicStateKey,
  type ReadOutcome,
  type SigningKeyRecord,
  type SigningPurpose,
  StoreFault,
} from '../store.ts';
import type { Reader } from './reader.ts';
import { headKey } from './writer/commands.ts';

export function isEmpty(reader: Reader): boolean {
  // No row: no account.
  return reader.get('SELECT 1 FROM accounts LIMIT 1') === undefined;
}

export function findAccount(reader: Reader, accountId: string): Account | undefined {
  // No row: no such account.
  const row = reader.get(
    'SELECT account_id, name, idp_tenant_id, created_at FROM accounts WHERE account_id = ?',
    accountId,
  );
  return row && toAccount(row);
}

export function listAccounts(reader: Reader, { after, itemsMax }: PageRequest): Page<Account> {
  const { createdAt, tie } = after ?? beforeFirst;
  // One row more than the page holds tells whether anything follows.
  const rows = reader.all(
    `SELECT account_id, name, idp_tenant_id, created_at FROM accounts WHERE (created_at, account_id) < (?, ?)
     ORDER BY created_at DESC, account_id DESC LIMIT ?`,
    createdAt,
    tie,
    itemsMax + 1,
  );
  return pageOf(rows.map(toAccount), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.accountId }));
}

export function findProject(reader: Reader, { accountId, slug }: ProjectKey): Project | undefined {
  // No row: no such project.
  const row = reader.get(
    `SELECT account_id, slug, projects.name, projects.created_at FROM accounts JOIN projects USING (account_number)
     WHERE account_id = ? AND slug = ?`,
    accountId,
    slug,
  );
  return row && toProject(row);
}

export function listProjects(reader: Reader, accountId: string, { after, itemsMax }: PageRequest): Page<Project> {
  const { createdAt, tie } = after ?? beforeFirst;
  // One row more than the page holds tells whether anything follows.
  const rows = reader.all(
    `SELECT ?1 AS account_id, slug, name, created_at FROM projects
     WHERE account_number = (SELECT account_number FROM accounts WHERE account_id = ?1) AND (created_at, slug) < (?2, ?3)
     ORDER BY created_at DESC, slug DESC LIMIT ?4`,
    accountId,
    createdAt,
    tie,
    itemsMax + 1,
  );
  return pageOf(rows.map(toProject), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.slug }));
}

const apiKeyColumns = `account_id, slug, key_id, api_keys.name, start, access, environments, api_keys.created_at,
  last_used_at, expires_at`;

export function findApiKey(reader: Reader, keyHash: Uint8Array): ApiKey | undefined {
  // No row: no such key, or its project or account is gone.
  const row = reader.get(
    `SELECT ${apiKeyColumns} FROM api_keys JOIN projects USING (project_id)
     JOIN accounts ON accounts.account_number = projects.account_number WHERE key_hash = ?`,
    keyHash,
  );
  return row && toApiKey(row);
}

export function listApiKeys(reader: Reader, { accountId, slug }: ProjectKey, itemsMax: number): ApiKey[] {
  // At most that many rows.
  const rows = reader.all(
    `SELECT ${apiKeyColumns} FROM accounts JOIN projects USING (account_number) JOIN api_keys USING (project_id)
     WHERE account_id = ? AND slug = ? ORDER BY api_keys.created_at DESC, api_key_number DESC LIMIT ?`,
    accountId,
    slug,
    itemsMax,
  );
  return rows.map(toApiKey);
}

export function listSigningKeys(reader: Reader, purpose: SigningPurpose): SigningKeyRecord[] {
  // Any number of rows.
  const rows = reader.all(
    `SELECT purpose, key_id, public_jwk, sealed_private_jwk, created_at FROM signing_keys
     WHERE purpose = ? ORDER BY created_at DESC, signing_key_number DESC`,
    purpose,
  );
  return rows.map(toSigningKey);
}

const noProject = { kind: 'no_project' } as const;
const absent = { kind: 'absent' } as const;

export function readPublicState(reader: Reader, key: PublicStateKey): ReadOutcome<PublicState> {
  // No row: no such project. A row without `version`: nothing is written to this environment.
  const row = reader.get(
    `SELECT versions.version, state_bytes, comment, state
     FROM accounts
     JOIN projects USING (account_number)
     LEFT JOIN public_state_heads ON head_key = projects.project_id * 4 + ?3
     LEFT JOIN public_state_versions AS versions ON id = newest_id
     WHERE account_id = ?1 AND slug = ?2`,
    key.accountId,
    key.slug,
    environmentNumbers[key.environment],
  );
  if (row === undefined) return noProject;
  return row.version === null ? absent : { kind: 'present', record: toPublicState(row) };
}

export function readPublicStateVersion(reader: Reader, key: PublicStateKey, version: number): ReadOutcome<PublicState> {
  return reader.snapshot(() => {
    const projectId = findProjectId(reader, key);
    if (projectId === undefined) return noProject;
    const id = findVersion(reader, projectId, environmentNumbers[key.environment], version);
    const found = id === null ? undefined : readVersion(reader, id);
    return found?.record.version === version ? { kind: 'present', record: found.record } : absent;
  });
}

export function listPublicStateVersions(
  reader: Reader,
  key: PublicStateKey,
  run: { readonly before: number | null; readonly charactersMax: number },
): { readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' } {
  return reader.snapshot(() => {
    const projectId = findProjectId(reader, key);
    if (projectId === undefined) return noProject;
    const newest = run.before === null ? Number.MAX_SAFE_INTEGER : run.before - 1;
    const versions: PublicState[] = [];
    let characters = 0;
    let id = findVersion(reader, projectId, environmentNumbers[key.environment], newest);
    while (id !== null) {
      const { record, previousId } = readVersion(reader, id);
      characters += record.stateText.length;
      if (versions.length > 0 && characters > run.charactersMax) break;
      versions.push(record);
      id = previousId;
    }
    return { kind: 'versions', versions };
  });
}

export function findProjectId(reader: Reader, { accountId, slug }: ProjectKey): number | undefined {
  // No row: no such project.
  const row = reader.get(
    'SELECT project_id FROM accounts JOIN projects USING (account_number) WHERE account_id = ? AND slug = ?',
    accountId,
    slug,
  );
  return row?.project_id as number | undefined;
}

/** The row of the newest version that is not above `version`, or null. */
function findVersion(reader: Reader, projectId: number, environment: number, version: number): number | null {
  // One row, null when nothing is written. From the next indexed version, or else the newest, back along the chain.
  const start = reader.get(
    `SELECT coalesce(
       (SELECT id FROM public_state_versions
        WHERE project_id = ?1 AND environment = ?2 AND version >= ?3 AND version % 64 = 0 ORDER BY version LIMIT 1),
       (SELECT newest_id FROM public_state_heads WHERE head_key = ?4)) AS id`,
    projectId,
    environment,
    version,
    headKey(projectId, environment),
  );
  // No row: every version is above the one asked for.
  const row = reader.get(
    `WITH RECURSIVE walk (id, version, previous_id) AS (
       SELECT id, version, previous_id FROM public_state_versions WHERE id = ?1
       UNION ALL
       SELECT older.id, older.version, older.previous_id
       FROM walk JOIN public_state_versions AS older ON older.id = walk.previous_id
       WHERE walk.version > ?2)
     SELECT id FROM walk WHERE version <= ?2 LIMIT 1`,
    start?.id ?? null,
    version,
  );
  return (row?.id as number | undefined) ?? null;
}

function readVersion(reader: Reader, id: number): { record: PublicState; previousId: number | null } {
  // One row: whoever asks has just met this id in the same snapshot.
  const row = reader.get(
    'SELECT version, state_bytes, comment, state, previous_id FROM public_state_versions WHERE id = ?',
    id,
  );
  if (row === undefined) throw new StoreFault(`cannot read version row ${id}: it is missing`);
  return { record: toPublicState(row), previousId: row.previous_id as number | null };
}
