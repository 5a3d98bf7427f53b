/** The editor of a schema's text, which suggests keywords. */
import { type Ref, useRef } from 'react';
import { CodeEditor, type CodeEditorHandle } from '../../editor/code-editor.tsx';
import { type CompletionOptions, schemaCompletion } from './completion.ts';

interface SchemaCodeEditorProps {
  readonly ref: Ref<CodeEditorHandle>;
  readonly initialText: string;
  readonly label: string;
  readonly completion: CompletionOptions;
  readonly onChange: () => void;
  readonly onSave: () => void;
  readonly onFormat: () => void;
}

export function SchemaCodeEditor({ completion, ...rest }: SchemaCodeEditorProps) {
  const extension = useRef(schemaCompletion(completion));
  return <CodeEditor {...rest} isAnyJson extension={extension.current} />;
}
