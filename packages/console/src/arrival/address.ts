/** Whether the page was opened where sign-in comes back to, or by a link. */
import { consolePath } from '../api/addresses.ts';

const arrivals = ['callback', 'demo', 'join'] as const;

export const arrivalOf = (): (typeof arrivals)[number] | undefined =>
  arrivals.find((name) => location.pathname === `${consolePath}/${name}`);

/** The secret of the link that was opened. The history does not keep it. */
export const openedSecret = location.hash.slice(1);
if (['demo', 'join'].includes(arrivalOf() ?? '')) history.replaceState(null, '', location.pathname);
