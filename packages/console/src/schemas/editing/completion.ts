/**
 * Suggests keywords, with explanations, while a schema is typed. The list is below the cursor: arrow keys choose, Enter and Tab accept,
 * Escape closes.
 */
import { syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, Prec, StateEffect, StateField, type Transaction } from '@codemirror/state';
import { type EditorView, keymap, showTooltip, type Tooltip, tooltips } from '@codemirror/view';
import type { SchemaKind } from '@holdfast/contract';
import { textsOf } from '../../texts/index.ts';
import { namesOfOthers, plainValues, suggestedKeywords, typeNames } from '../rules/keywords.ts';
import './completion.css';

const [, keywordTextsNow] = textsOf('schema-keywords');

interface Suggestion {
  readonly label: string;
  readonly detail: string;
  /** The replacement for the typed text; `|` is the cursor's position. */
  readonly insert: string;
}

interface Suggestions {
  readonly from: number;
  readonly to: number;
  readonly all: readonly Suggestion[];
  readonly chosen: number;
}

export interface CompletionOptions {
  readonly kind: SchemaKind;
  /** The name of the list. */
  readonly label: string;
}

const shownMax = 9;
const choose = StateEffect.define<number>();
const close = StateEffect.define<null>();
const open = StateEffect.define<null>();

/** Where suggestions may be: at a distance from the edges of the window. */
const insideWindow = () => ({
  left: edgePixels,
  top: edgePixels,
  right: innerWidth - edgePixels,
  bottom: innerHeight - edgePixels,
});
const edgePixels = 8;

type Node = ReturnType<typeof syntaxTree>['topNode'];

/** Returns the editor extension that suggests parts of a schema. */
export function schemaCompletion(options: CompletionOptions): Extension {
  const field = StateField.define<Suggestions | null>({
    create: () => null,
    update: (before, transaction) => next(before, transaction, options),
    provide: (self) => showTooltip.compute([self], (state) => tooltipOf(state.field(self), options, take)),
  });
  const take = (view: EditorView, index: number): boolean => {
    const now = view.state.field(field);
    const suggestion = now?.all[index];
    if (now == null || suggestion === undefined) return false;
    const at = suggestion.insert.indexOf('|');
    view.dispatch({
      changes: { from: now.from, to: now.to, insert: suggestion.insert.replace('|', '') },
      selection: { anchor: now.from + (at < 0 ? suggestion.insert.length : at) },
      effects: close.of(null),
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
    return true;
  };
  const step = (by: number) => (view: EditorView) => {
    const now = view.state.field(field);
    if (now === null) return false;
    view.dispatch({ effects: choose.of((now.chosen + by + now.all.length) % now.all.length) });
    return true;
  };
  const takeChosen = (view: EditorView) => take(view, view.state.field(field)?.chosen ?? -1);
  const end = (view: EditorView) => {
    if (view.state.field(field) === null) return false;
    view.dispatch({ effects: close.of(null) });
    return true;
  };
  const begin = (view: EditorView) => {
    view.dispatch({ effects: open.of(null) });
    return true;
  };
  const keys = keymap.of([
    { key: 'ArrowDown', run: step(1) },
    { key: 'ArrowUp', run: step(-1) },
    { key: 'Enter', run: takeChosen },
    { key: 'Tab', run: takeChosen },
    { key: 'Escape', run: end },
    { key: 'Ctrl-Space', run: begin },
  ]);
  return [tooltips({ tooltipSpace: insideWindow }), field, Prec.highest(keys)];
}

function next(before: Suggestions | null, transaction: Transaction, options: CompletionOptions): Suggestions | null {
  for (const effect of transaction.effects) {
    if (effect.is(close)) return null;
    if (effect.is(choose)) return before && { ...before, chosen: effect.value };
    if (effect.is(open)) return suggestionsAt(transaction.state, options);
  }
  if (transaction.docChanged) {
    return transaction.isUserEvent('input.type') || transaction.isUserEvent('delete')
      ? suggestionsAt(transaction.state, options)
      : null;
  }
  return transaction.selection === undefined ? before : null;
}

/** Returns what is possible at the cursor; null if unknown. */
function suggestionsAt(state: EditorState, { kind }: CompletionOptions): Suggestions | null {
  const { head, empty } = state.selection.main;
  if (!empty) return null;
  const line = state.doc.lineAt(head);
  const before = line.text.slice(0, head - line.from);
  const typed = /"?[\w$-]*$/.exec(before)?.[0] ?? '';
  if (typed === '') return null;
  const from = head - typed.length;
  const isClosed = state.sliceDoc(head, head + 1) === '"' && typed.startsWith('"');
  const to = isClosed ? head + 1 : head;
  const word = typed.replace('"', '').toLowerCase();
  const fitting = (name: string) => name.toLowerCase().includes(word) && name.toLowerCase() !== word;
  const ranked = <Item extends { readonly label: string }>(items: readonly Item[]) =>
    items
      .toSorted((one, other) => Number(startsWith(other.label, word)) - Number(startsWith(one.label, word)))
      .slice(0, shownMax);
  const place = placeAt(syntaxTree(state).resolveInner(head, -1), state, from);
  if (place === 'type') {
    const all = typeNames.filter(fitting).map((name) => ({ label: name, detail: '', insert: `"${name}"|` }));
    return all.length === 0 ? null : { from, to, all: ranked(all), chosen: 0 };
  }
  if (place !== 'keyword') return null;
  const hasValue = /^\s*:/.test(state.sliceDoc(to, to + 20));
  const meanings = keywordTextsNow();
  const all = suggestedKeywords
    .filter(({ name, isOfChange }) => fitting(name) && (isOfChange === undefined || kind === 'user-state'))
    .map((keyword) => ({
      label: keyword.name,
      detail: meanings[keyword.name],
      insert: hasValue ? `"${keyword.name}"|` : `"${keyword.name}": ${keyword.value}`,
    }));
  return all.length === 0 ? null : { from, to, all: ranked(all), chosen: 0 };
}

const startsWith = (name: string, word: string) => name.toLowerCase().startsWith(word);

/** What is typed at a position: a keyword's name, a type, or something else. */
function placeAt(inner: Node, state: EditorState, from: number): 'keyword' | 'type' | undefined {
  const isName = /[{,]\s*$/.test(state.sliceDoc(Math.max(0, from - 200), from));
  const path = namesAbove(inner, state, from);
  if (path.some((name) => plainValues.has(name))) return undefined;
  const isObject = objectAbove(inner, from)?.name === 'Object';
  if (isName && isObject) return isOfNames(path) ? undefined : 'keyword';
  const isType = /"type"\s*:\s*(?:\[[^\]]*)?$/.test(state.sliceDoc(Math.max(0, from - 200), from));
  return isType ? 'type' : undefined;
}

/** Whether members at a path have names from the document, each followed by a schema. */
const isOfNames = (path: readonly string[]): boolean =>
  path.reduce((isNames, name) => !isNames && namesOfOthers.has(name), false);

function objectAbove(inner: Node, from: number): Node | null {
  let node: Node | null = inner;
  while (node !== null && !((node.name === 'Object' || node.name === 'Array') && node.from < from)) node = node.parent;
  return node;
}

/** The names of the properties around a position, from the root. */
function namesAbove(inner: Node, state: EditorState, from: number): string[] {
  const names: string[] = [];
  for (let node = objectAbove(inner, from); node !== null; node = node.parent) {
    if (node.name !== 'Property') continue;
    const name = node.getChild('PropertyName');
    if (name !== null) names.unshift(state.sliceDoc(name.from + 1, name.to - 1));
  }
  return names;
}

function tooltipOf(
  suggestions: Suggestions | null,
  { label }: CompletionOptions,
  take: (view: EditorView, index: number) => boolean,
): Tooltip | null {
  if (suggestions === null) return null;
  return {
    pos: suggestions.from,
    create(view) {
      const dom = document.createElement('div');
      dom.className = 'suggestions';
      dom.setAttribute('role', 'listbox');
      dom.setAttribute('aria-label', label);
      for (const [index, suggestion] of suggestions.all.entries()) {
        const item = document.createElement('div');
        item.setAttribute('role', 'option');
        item.setAttribute('aria-selected', String(index === suggestions.chosen));
        const [name, detail] = [document.createElement('b'), document.createElement('small')];
        name.textContent = suggestion.label;
        detail.textContent = suggestion.detail;
        item.append(name, detail);
        item.onmousedown = (event) => {
          event.preventDefault();
          take(view, index);
        };
        dom.append(item);
      }
      return { dom };
    },
  };
}
