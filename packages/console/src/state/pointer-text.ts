/** JSON Pointers as people read them. */
import { plain } from '../ui/plain-text.ts';

/** Returns the segments one behind the other; nothing for the document as a whole. */
export const pathText = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => plain(segment.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join(' › ');
