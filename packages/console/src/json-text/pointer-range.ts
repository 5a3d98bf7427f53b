/** Finds the target of a JSON Pointer in a text of any layout. */

import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { pathOfPointer } from '@holdfast/json';

type Node = ReturnType<typeof syntaxTree>['topNode'];

/** Time limit for reading a text, on a slow device. Targets not reached by then are located at their container. */
const readMs = 1_000;

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the range of a member's name, or of an element's start; that of the nearest container if there is no such value. */
export function rangeOfPointer(state: EditorState, pointer: string): TextRange {
  const tree = ensureSyntaxTree(state, state.doc.length, readMs) ?? syntaxTree(state);
  let value: Node | null = tree.topNode.firstChild;
  let place = beginningOf(state, value);
  for (const segment of pathOfPointer(pointer)) {
    const found: Node | undefined = value === null ? undefined : childOf(state, value, segment);
    if (found === undefined) return place;
    const isMember = found.name === 'Property';
    value = isMember ? found.lastChild : found;
    const name = isMember ? found.firstChild : null;
    place = name === null ? beginningOf(state, found) : { from: name.from, to: name.to };
  }
  return place;
}

/** At most to the end of its line. */
function beginningOf(state: EditorState, node: Node | null): TextRange {
  const from = node?.from ?? 0;
  return { from, to: Math.max(from, Math.min(node?.to ?? 0, state.doc.lineAt(from).to)) };
}

function childOf(state: EditorState, value: Node, segment: string): Node | undefined {
  if (value.name === 'Array') return valuesIn(value)[Number(segment)];
  return value.getChildren('Property').find((property) => {
    const name = property.firstChild;
    return name !== null && textOf(state.sliceDoc(name.from, name.to)) === segment;
  });
}

/** The elements between brackets and commas. */
function valuesIn(array: Node): Node[] {
  const values: Node[] = [];
  for (let node = array.firstChild; node !== null; node = node.nextSibling) {
    if (/^[A-Z]/.test(node.name)) values.push(node);
  }
  return values;
}

/** A name as written, without its escapes. */
function textOf(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
