/** Names that strangers choose, in mails of the service. */
import { carriesAddress } from '../../../common/shown-text.ts';

/** Longer names are cut, so that a name cannot carry a message. */
const nameCharactersMax = 60;

/** Returns a name as a mail may show it; null if there is none, or if it could lead readers elsewhere. */
export function shownName(name: string | null): string | null {
  const shown = name?.trim() ?? '';
  if (shown === '' || carriesAddress(shown)) return null;
  return shown.length > nameCharactersMax ? `${shown.slice(0, nameCharactersMax).replace(/[\ud800-\udbff]$/, '')}…` : shown;
}
