/** Whether the page was opened by a returning sign-in, or by a link. */
import { consolePath } from '../api/addresses.ts';

const entries = ['callback', 'demo', 'join'] as const;

export const entryOf = (): (typeof entries)[number] | undefined =>
  entries.find((name) => location.pathname === `${consolePath}/${name}`);

/** The secret of the opened link. It is not kept in the history. */
export const openedSecret = location.hash.slice(1);
if (['demo', 'join'].includes(entryOf() ?? '')) {
  history.replaceState(null, '', location.pathname);
  // Another link pasted into the same tab changes only the fragment.
  addEventListener('hashchange', () => location.reload());
}
