/** JSON Pointers for messages and responses. @see RFC 6901 */
import { pointerCharactersMax } from './bounds.ts';

type Parts = readonly (string | number)[];

/** Characters of the beginning and of the end of a long pointer. */
const half = pointerCharactersMax / 2;

/**
 * JSON Pointer of the parts. If it has more than `pointerCharactersMax` characters, `…` replaces its middle, and it costs no more than a
 * pointer of that length, whatever the parts are.
 */
export function pointerOf(parts: Parts): string {
  let pointer = '';
  for (const each of parts) {
    const part = String(each);
    const isLong = part.length >= pointerCharactersMax;
    pointer += `/${escaped(isLong ? part.slice(0, half) : part)}`;
    if (isLong || pointer.length > pointerCharactersMax) return shortened(pointer + endOf(parts));
  }
  return pointer;
}

/** JSON Pointer to something under another, which may begin with `#`. It is never longer than one of {@link pointerOf}. */
export const pointerBelow = (pointer: string, parts: Parts): string => shortened(pointer + pointerOf(parts));

/** At least the last half of a long pointer. */
function endOf(parts: Parts): string {
  let end = '';
  for (let at = parts.length - 1; at >= 0 && end.length < half; at--) {
    end = `/${escaped(String(parts[at]).slice(-half))}${end}`;
  }
  return end;
}

/**
 * Leaves out the middle of a long pointer, where another may already have been left out, and halves of escapes and surrogate pairs next to
 * it.
 */
function shortened(pointer: string): string {
  if (pointer.length <= pointerCharactersMax) return pointer;
  const isHalfEscape = pointer.at(-half) === '~';
  const head = pointer.slice(0, half).replace(/[~…\ud800-\udbff]$/, '');
  const end = pointer.slice(isHalfEscape ? 2 - half : 1 - half).replace(/^[\udc00-\udfff]/, '');
  return `${head}…${end}`;
}

/** The name as written in a pointer. One loop: replacing each character takes twice the time if there are many. */
function escaped(name: string): string {
  if (!/[~/]/.test(name)) return name;
  let text = '';
  let from = 0;
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if (unit !== tilde && unit !== slash) continue;
    text += `${name.slice(from, at)}${unit === tilde ? '~0' : '~1'}`;
    from = at + 1;
  }
  return text + name.slice(from);
}

const tilde = 0x7e;
const slash = 0x2f;
