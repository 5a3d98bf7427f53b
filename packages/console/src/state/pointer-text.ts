/** JSON Pointers for people. */
import { plain } from '../ui/plain-text.ts';

/** Returns the segments in sequence; nothing for the whole document. */
export const pathText = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => plain(unescaped(segment)))
    .join(' › ');

/** Returns the name that a segment stands for. */
export const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');
