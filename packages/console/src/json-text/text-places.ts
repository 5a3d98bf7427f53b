/** Places of values in a JSON text of any layout. */

// Code units of characters, which are faster to compare than texts.
const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** A member of an object, or an element of an array, in a text. */
export interface Child {
  /** Empty for an element. */
  readonly name: string;
  /** Offset of the name, or of the element. */
  readonly from: number;
  readonly value: number;
  readonly to: number;
}

/** Returns the path of the value at an offset of a JSON text. */
export function pathAt(text: string, offset: number): readonly string[] {
  const path: string[] = [];
  for (let at = skipSpace(text, 0); ; ) {
    if (!isOpener(text[at])) return path;
    const isList = text[at] === '[';
    const children = childrenOf(text, at);
    const index = children.findIndex(({ from, to }) => from <= offset && offset <= to);
    const child = children[index];
    if (child === undefined) return path;
    path.push(isList ? String(index) : child.name);
    if (offset < child.value) return path;
    at = child.value;
  }
}

/** Returns the names that an object has more than once, as the offsets of the earlier ones, which do not count. */
export function duplicateNames(
  text: string,
): readonly { readonly from: number; readonly to: number; readonly name: string }[] {
  const found: { from: number; to: number; name: string }[] = [];
  const open: { isObject: boolean; names: Map<string, [number, number]> }[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === openBrace || unit === openBracket) open.push({ isObject: unit === openBrace, names: new Map() });
    else if (unit === closeBrace || unit === closeBracket) open.pop();
    else if (unit === quote) {
      const end = endOfString(text, at);
      const inside = open.at(-1);
      if (inside?.isObject && text.charCodeAt(skipSpace(text, end)) === colon) {
        const name = nameIn(text, at, end);
        const earlier = inside.names.get(name);
        if (earlier !== undefined) found.push({ from: earlier[0], to: earlier[1], name });
        inside.names.set(name, [at, end]);
      }
      at = end - 1;
    }
  }
  return found;
}

/** The children of a container that begins at an offset of a JSON text. */
export function childrenOf(text: string, at: number): readonly Child[] {
  const children: Child[] = [];
  const isObject = text[at] === '{';
  let next = skipSpace(text, at + 1);
  while (next < text.length && text[next] !== '}' && text[next] !== ']') {
    const nameEnd = isObject ? endOfString(text, next) : next;
    const value = isObject ? skipSpace(text, skipSpace(text, nameEnd) + 1) : next;
    const to = endOfValue(text, value);
    children.push({ name: isObject ? nameIn(text, next, nameEnd) : '', from: next, value, to });
    next = skipSpace(text, to);
    if (text[next] === ',') next = skipSpace(text, next + 1);
  }
  return children;
}

function nameIn(text: string, from: number, to: number): string {
  const literal = text.slice(from, to);
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
}

const isOpener = (unit: string | undefined): boolean => unit === '{' || unit === '[';

/** The offset of the next character that is no white space. */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && text.charCodeAt(next) <= 0x20) next++;
  return next;
}

/** The end of the string that begins at an offset. */
export function endOfString(text: string, at: number): number {
  let next = at + 1;
  for (; next < text.length; next++) {
    const unit = text.charCodeAt(next);
    if (unit === quote) break;
    if (unit === backslash) next++;
  }
  return next + 1;
}

/** The end of the value that begins at an offset. */
export function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  let next = at;
  if (!isOpener(text[at])) {
    while (next < text.length && !/[\s,\]}]/.test(text[next] ?? '')) next++;
    return next;
  }
  for (let depth = 0; next < text.length; ) {
    const unit = text[next];
    if (unit === '"') {
      next = endOfString(text, next);
      continue;
    }
    next++;
    if (isOpener(unit)) depth++;
    else if ((unit === '}' || unit === ']') && --depth === 0) break;
  }
  return next;
}
