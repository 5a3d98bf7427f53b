/** JSON Pointers for messages and responses. @see RFC 6901 */
import { pointerCharactersMax } from './bounds.ts';

type Parts = readonly (string | number)[];

/** Characters kept at each end of a long pointer. */
const half = pointerCharactersMax / 2;

/**
 * Returns the JSON Pointer of the parts. Over `pointerCharactersMax` characters, `…` replaces the middle, and the cost is never more than
 * for a pointer of that length.
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

/** Returns a JSON Pointer below another pointer, which may begin with `#`. The result is never longer than a {@link pointerOf} result. */
export const pointerBelow = (pointer: string, parts: Parts): string => shortened(pointer + pointerOf(parts));

/** At least the last half of a long pointer. */
function endOf(parts: Parts): string {
  let end = '';
  for (let at = parts.length - 1; at >= 0 && end.length < half; at--) {
    end = `/${escaped(String(parts[at]).slice(-half))}${end}`;
  }
  return end;
}

/** Leaves out the middle of a long pointer, which may have been shortened before, and any half escape or surrogate next to the gap. */
function shortened(pointer: string): string {
  if (pointer.length <= pointerCharactersMax) return pointer;
  const isHalfEscape = pointer.at(-half) === '~';
  const head = pointer.slice(0, half).replace(/[~…\ud800-\udbff]$/, '');
  const end = pointer.slice(isHalfEscape ? 2 - half : 1 - half).replace(/^[\udc00-\udfff]/, '');
  return `${head}…${end}`;
}

/** Escapes a name for a pointer. One loop takes half the time of separate replacements if there are many. */
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
