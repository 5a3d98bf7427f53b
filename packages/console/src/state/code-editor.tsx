/** The editor of a document's text. */
import { openSearchPanel } from '@codemirror/search';
import { EditorView, keymap } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { editorSetup } from './code.ts';

export interface CodeEditorHandle {
  /** The text as it is now. */
  text(): string;
  /** Replaces the text in one step that can be undone. The cursor stays where it was, as far as that is there. */
  setText(text: string): void;
  /** Puts the cursor to an offset, in view. */
  goTo(offset: number): void;
  openSearch(): void;
  focus(): void;
}

export interface CodeEditorProps {
  readonly ref: Ref<CodeEditorHandle>;
  readonly initialText: string;
  readonly label: string;
  /** Called after each change, before it is painted: it has to be quick. */
  readonly onChange: () => void;
  readonly onCursor: (line: number, column: number) => void;
  readonly onSave: () => void;
  readonly onFormat: () => void;
}

export function CodeEditor({ ref, initialText, label, onChange, onCursor, onSave, onFormat }: CodeEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ onChange, onCursor, onSave, onFormat });
  latest.current = { onChange, onCursor, onSave, onFormat };
  const first = useRef({ initialText, label });

  useEffect(() => {
    const run = (name: 'onSave' | 'onFormat') => () => {
      latest.current[name]();
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
        editorSetup(),
        EditorView.contentAttributes.of({ 'aria-label': first.current.label, tabindex: '0', spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange();
          if (!update.docChanged && !update.selectionSet) return;
          const { head } = update.state.selection.main;
          const line = update.state.doc.lineAt(head);
          latest.current.onCursor(line.number, head - line.from + 1);
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
    goTo(offset) {
      const { current } = view;
      if (current === null) return;
      const anchor = Math.min(offset, current.state.doc.length);
      current.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      current.focus();
    },
    openSearch: () => view.current && openSearchPanel(view.current),
    focus: () => view.current?.focus(),
  };
}
