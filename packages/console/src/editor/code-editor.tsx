/** The editor of a document's text. */
import { isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { openSearchPanel } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { Finding } from '../json-text/document-text.ts';
import { rangeOfPointer } from '../json-text/pointer-range.ts';
import type { TextBuffer } from '../open-text/text-buffer.ts';
import { editorSetup, showFindings } from './code.ts';
import './code-editor.css';

export interface CodeEditorHandle extends TextBuffer {
  /** Whether something else is shown in its place. */
  isHidden(): boolean;
  /** The offset of the cursor. */
  cursor(): number;
  /** Moves the cursor to an offset, and scrolls it into view. */
  goTo(offset: number): void;
  /** Moves the cursor to the target of a JSON Pointer, and scrolls it into view. */
  goToPointer(pointer: string): void;
  /** Marks faults in a valid JSON text, replacing earlier marks. */
  show(findings: readonly Finding[]): void;
  openSearch(): void;
  focus(): void;
}

export interface CodeEditorProps {
  readonly ref: Ref<CodeEditorHandle>;
  readonly initialText: string;
  readonly label: string;
  /** Called after each change, before it is painted, so it must be quick. */
  readonly onChange: () => void;
  readonly onCursor?: (line: number, column: number) => void;
  readonly onSave: () => void;
  readonly onFormat?: () => void;
  /** Whether any JSON is valid, not only an object. */
  readonly isAnyJson?: boolean;
  /** Additional extensions. Later changes are ignored. */
  readonly extension?: Extension;
}

export function CodeEditor(props: CodeEditorProps) {
  const { ref, initialText, label, onChange, onCursor, onSave, onFormat, isAnyJson = false, extension = [] } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ onChange, onCursor, onSave, onFormat });
  latest.current = { onChange, onCursor, onSave, onFormat };
  const first = useRef({ initialText, label, isAnyJson, extension });

  // Before the handle is given out: whoever has it can use the editor.
  useLayoutEffect(() => {
    const run = (name: 'onSave' | 'onFormat') => () => {
      latest.current[name]?.();
      return true;
    };
    const made = new EditorView({
      doc: first.current.initialText,
      ...(parent.current && { parent: parent.current }),
      extensions: [
        keymap.of([
          { key: 'Mod-s', run: run('onSave'), preventDefault: true },
          { key: 'Shift-Alt-f', run: run('onFormat'), preventDefault: true },
        ]),
        first.current.extension,
        editorSetup(first.current.isAnyJson),
        EditorView.contentAttributes.of({ 'aria-label': first.current.label, tabindex: '0', spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange();
          if (!update.docChanged && !update.selectionSet) return;
          const { head } = update.state.selection.main;
          const line = update.state.doc.lineAt(head);
          latest.current.onCursor?.(line.number, head - line.from + 1);
        }),
      ],
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  useImperativeHandle(ref, () => handleOf(view), []);
  return <div className="code-editor" ref={parent} />;
}

function handleOf(view: { readonly current: EditorView | null }): CodeEditorHandle {
  const goTo = (offset: number) => {
    const { current } = view;
    if (current === null) return;
    const anchor = Math.min(offset, current.state.doc.length);
    current.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    current.focus();
  };
  return {
    text: () => view.current?.state.doc.toString() ?? '',
    setText(text) {
      const { current } = view;
      if (current === null || current.state.doc.toString() === text) return;
      const { head } = current.state.selection.main;
      current.dispatch({
        changes: { from: 0, to: current.state.doc.length, insert: text },
        selection: { anchor: Math.min(head, text.length) },
      });
    },
    change: (changes, isStep = false) =>
      view.current?.dispatch({
        changes,
        userEvent: 'input.type',
        annotations: isStep ? isolateHistory.of('full') : [],
      }),
    undo: () => view.current && undo(view.current),
    redo: () => view.current && redo(view.current),
    steps: () => ({
      canUndo: view.current !== null && undoDepth(view.current.state) > 0,
      canRedo: view.current !== null && redoDepth(view.current.state) > 0,
    }),
    isHidden: () => view.current?.dom.offsetParent === null,
    cursor: () => view.current?.state.selection.main.head ?? 0,
    goTo,
    goToPointer: (pointer) => view.current && goTo(rangeOfPointer(view.current.state, pointer).from),
    show: (findings) => view.current?.dispatch({ effects: showFindings.of(findings) }),
    openSearch: () => view.current && openSearchPanel(view.current),
    focus: () => view.current?.focus(),
  };
}
