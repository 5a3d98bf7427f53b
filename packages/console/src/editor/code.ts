/** The common setup of editors and comparisons. This file and its importers are loaded on first use. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap, setDiagnosticsEffect } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  ViewPlugin,
  WidgetType,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { styleNonce } from '../api/addresses.ts';
import { type Finding, readText } from '../json-text/document-text.ts';
import { faultSentence } from '../json-text/json-faults.ts';
import { rangeOfPointer } from '../json-text/pointer-range.ts';
import { duplicateNames } from '../json-text/text-places.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { matchCount } from './match-count.ts';

const [, editorTextsNow] = textsOf('editor');

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-word)', fontWeight: 'var(--weight-strong)' },
  { tag: [tags.separator, tags.brace, tags.squareBracket], color: 'var(--code-mark)' },
]);

const theme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text)', fontSize: 'var(--size-s)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)', padding: '12px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none', paddingLeft: '8px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--line-active)' },
  '.cm-activeLineGutter': { color: 'var(--text)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--note)',
    border: '1px solid var(--hairline)',
    borderRadius: 'var(--radius-xs)',
    color: 'var(--muted)',
    padding: '0 6px',
  },
  '.cm-lintRange': { backgroundImage: 'none !important', textDecoration: 'underline wavy var(--warn)' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--danger)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--hairline)' },
  '.cm-searchMatch': { backgroundColor: 'var(--match)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--match-now)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--match) !important' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--hairline)',
    borderRadius: 'var(--radius-m)',
    overflow: 'hidden',
  },
});

/** Besides those that the editor shows itself: marks of direction, and characters without width that join no letters or emojis. */
const unseen = /[\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The search of texts: a hit is scrolled to the middle. */
const finding = (): Extension => [
  search({ top: true, scrollToMatch: (range) => EditorView.scrollIntoView(range, { y: 'center' }) }),
  matchCount(),
];

/** Read-only text. */
export function readerSetup(): Extension {
  return [
    EditorView.cspNonce.of(styleNonce),
    lineNumbers(),
    foldGutter(),
    codeFolding(),
    json(),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    theme,
    highlightSpecialChars({ addSpecialChars: unseen }),
    finding(),
    keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
    EditorState.phrases.of(editorTextsNow().phrases),
    groupedCounts,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
  ];
}

/** Further faults in a valid JSON text, from its validators. */
export const showFindings = StateEffect.define<readonly Finding[]>();

const findingsShown = StateField.define<readonly Finding[]>({
  create: () => [],
  update: (before, { effects }) => effects.findLast((effect) => effect.is(showFindings))?.value ?? before,
});

/** Marks why a text is not JSON, apart from what its validators find. */
const faultClass = 'cm-json-fault';

class FaultWords extends WidgetType {
  readonly message: string;
  constructor(message: string) {
    super();
    this.message = message;
  }
  override eq(other: FaultWords): boolean {
    return other.message === this.message;
  }
  override toDOM(): HTMLElement {
    const words = document.createElement('span');
    words.className = 'fault-in-line';
    words.textContent = this.message;
    return words;
  }
}

/** Why the text is not JSON, at the end of the line with the fault: no line moves. */
const faultInLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, newDoc }) {
    const found = effects.findLast((effect) => effect.is(setDiagnosticsEffect))?.value;
    if (found === undefined) return before.map(changes);
    const fault = found.find(({ markClass }) => markClass === faultClass);
    if (fault === undefined) return Decoration.none;
    const end = newDoc.lineAt(Math.min(fault.from, newDoc.length)).to;
    return Decoration.set(Decoration.widget({ widget: new FaultWords(fault.message), side: 1 }).range(end));
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** An editor of a document or any JSON. */
export function editorSetup(isAnyJson: boolean): Extension {
  return [
    EditorView.cspNonce.of(styleNonce),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightSelectionMatches(),
    json(),
    syntaxHighlighting(colours),
    highlightSpecialChars({ addSpecialChars: unseen }),
    finding(),
    findingsShown,
    linter(({ state }) => findFaults(state, isAnyJson), {
      delay: 250,
      needsRefresh: ({ startState, state }) => startState.field(findingsShown) !== state.field(findingsShown),
    }),
    lintGutter(),
    faultInLine,
    theme,
    EditorView.lineWrapping,
    keymap.of([...searchKeymap, ...foldKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
    EditorState.phrases.of(editorTextsNow().phrases),
  ];
}

/** Marks what the service would refuse. */
function findFaults(state: EditorState, isAnyJson: boolean): Diagnostic[] {
  const text = state.doc.toString();
  const read = readText(text, isAnyJson);
  if (read.kind === 'document') {
    const found = state
      .field(findingsShown)
      .map(({ path, message, severity }) => ({ ...rangeOfPointer(state, path), message, severity }));
    const twice = duplicateNames(text).map(({ from, to, name }) => ({
      from,
      to,
      message: editorTextsNow().duplicate(name),
      severity: 'warning' as const,
    }));
    return [...found, ...twice];
  }
  const message = faultSentence(read.fault);
  const at = Math.min(read.position, state.doc.length);
  // At the end of a line, the last character is marked.
  const from = at === state.doc.lineAt(at).to ? Math.max(state.doc.lineAt(at).from, at - 1) : at;
  return [{ from, to: Math.min(from + 1, state.doc.length), severity: 'error', message, markClass: faultClass }];
}

/** Groups the digits of the numbers of unchanged lines. */
const groupedCounts = ViewPlugin.define((view) => {
  const group = () => {
    for (const line of view.dom.querySelectorAll('.cm-collapsedLines')) {
      const [count = ''] = /^\d{4,}/.exec(line.textContent ?? '') ?? [];
      if (count !== '') line.textContent = formatNumber(Number(count)) + (line.textContent ?? '').slice(count.length);
    }
  };
  view.requestMeasure({ read: () => {}, write: group });
  return { docViewUpdate: group };
});
