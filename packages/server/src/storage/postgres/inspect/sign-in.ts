/** Projects whose sign-in settings allow what nobody can use. */
import { type UnconfiguredProviders, unconfiguredMax, unconfiguredProviders } from '../../sign-in-inspection.ts';
import type { Query } from '../connection/query.ts';

/** Settings that are in memory at once, of up to 90 KB each. */
const rowsAtOnce = 100;

/** Returns at most 20 projects that allow providers which their account has not configured. Reads all settings. */
export async function readUnconfiguredProviders(query: Query): Promise<UnconfiguredProviders[]> {
  const found: UnconfiguredProviders[] = [];
  let [accountId, after] = ['', ''];
  for (;;) {
    // Up to so many rows: the settings that follow.
    const rows = await query(
      `SELECT account_id, slug, settings,
         (SELECT string_agg(provider_id, ',') FROM identity_providers WHERE directory_id = account_id) AS providers
       FROM end_user_auth JOIN accounts USING (account_id)
       WHERE (account_id, slug) > ($1, $2) ORDER BY account_id, slug LIMIT ${rowsAtOnce}`,
      [accountId, after],
    );
    for (const { account_id: account, slug, settings, providers } of rows) {
      const configured = providers === null ? [] : String(providers).split(',');
      const one = unconfiguredProviders({
        ...{ accountId: String(account), slug: String(slug), settingsText: String(settings), configured },
      });
      if (one !== undefined && found.push(one) === unconfiguredMax) return found;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return found;
    [accountId, after] = [String(last.account_id), String(last.slug)];
  }
}
