/** JSON Pointers for people. */
import { pathOfPointer } from '@holdfast/json';
import { plain } from './plain-text.ts';

/** Returns the segments in sequence; nothing for the whole document. */
export const pathText = (pointer: string): string => pathOfPointer(pointer).map(plain).join(' › ');
