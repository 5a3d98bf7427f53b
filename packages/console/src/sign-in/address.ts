/** Whether the page was opened by the return of a sign-in, or by a link. */
import { consolePath } from '../api/addresses.ts';

const entries = ['callback', 'demo', 'join'] as const;

export const entryOf = (): (typeof entries)[number] | undefined =>
  entries.find((name) => location.pathname === `${consolePath}/${name}`);

/** The secret of the link that was opened. The history does not keep it. */
export const openedSecret = location.hash.slice(1);
if (['demo', 'join'].includes(entryOf() ?? '')) history.replaceState(null, '', location.pathname);
