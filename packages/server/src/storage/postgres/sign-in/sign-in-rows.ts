/** How codes and refresh-token families lie in their rows. */

type SignInTable = 'authorization_codes' | 'refresh_families';

/** Whether the account, and the project if there is one, that a row of `table` belongs to still exist. */
export const isOfTheLiving = (table: SignInTable): string => `
  (EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = ${table}.account_id)
   AND (${table}.project_id IS NULL OR EXISTS (
     SELECT 1 FROM projects
     WHERE projects.account_id = ${table}.account_id AND projects.slug = ${table}.slug
       AND projects.project_id = ${table}.project_id)))`;

/** What a grant speaks for, in either table. */
export const grantColumns = 'account_id, slug, environment, client_id, subject, scope';

export const familyColumns = `${grantColumns}, family_id, created_at, idle_expires_at, absolute_expires_at`;

/**
 * Whether a code is unspent, for statements that know its key. Put like this it cannot be answered by the indexes of unspent
 * codes, which are so small that the database would read through one of them rather than look up the key.
 */
export const isUnspent = "coalesce(family_id, '') = ''";

/** When a family ends unless it is used or revoked. */
export const familyEndsAt = 'least(idle_expires_at, absolute_expires_at)';

/** What the row of a family becomes when it is revoked. It stays until its code has expired, known as spent. */
export const familyIsRevoked = 'secret_hash = NULL, previous_secret_hash = NULL, sweep_at = code_expires_at';
