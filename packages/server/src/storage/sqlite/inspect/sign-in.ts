/** Projects of the embedded database whose sign-in settings allow what nobody can use. */
import type { DatabaseSync } from 'node:sqlite';
import { type UnconfiguredProviders, unconfiguredMax, unconfiguredProviders } from '../../sign-in-inspection.ts';

/** Returns at most 20 projects that allow providers which their account has not configured. Reads all settings. */
export function readUnconfiguredProviders(database: DatabaseSync): UnconfiguredProviders[] {
  const found: UnconfiguredProviders[] = [];
  const rows = database.prepare(`
    SELECT account_id, slug, settings,
      (SELECT group_concat(provider_id) FROM identity_providers WHERE directory_id = account_id) AS providers
    FROM end_user_auth JOIN accounts USING (account_id)`);
  for (const { account_id: accountId, slug, settings, providers } of rows.iterate()) {
    const configured = providers === null ? [] : String(providers).split(',');
    const one = unconfiguredProviders({
      ...{ accountId: String(accountId), slug: String(slug), settingsText: String(settings), configured },
    });
    if (one !== undefined && found.push(one) === unconfiguredMax) break;
  }
  return found;
}
