/** The line below the editor of a schema: whether it is one, or what is wrong and where. */
import type { RefObject } from 'react';
import type { CodeEditorHandle } from '../state/code-editor.tsx';
import { faultSentence } from '../state/json-fault.ts';
import { pathText } from '../state/pointer-text.ts';
import { useTexts } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { plain } from '../ui/plain-text.ts';
import type { EditedSchema } from './use-schema-text.ts';

interface SchemaStatusProps {
  readonly edited: EditedSchema;
  readonly editor: RefObject<CodeEditorHandle | null>;
}

export function SchemaStatus({ edited: { read, findings }, editor }: SchemaStatusProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const [first] = findings ?? [];
  if (read.kind === 'fault') {
    return (
      <footer className="status-bar">
        <button type="button" className="status-fault" onClick={() => editor.current?.goTo(read.position)}>
          {faultSentence(t, read.fault)}
        </button>
      </footer>
    );
  }
  return (
    <footer className="status-bar">
      <span className="hidden-text" role="status">
        {findings?.length === 0 ? s.good : ''}
      </span>
      {findings === undefined && <span>{s.checking}</span>}
      {findings?.length === 0 && <span className="status-good">{s.good}</span>}
      {first !== undefined && (
        <button type="button" className="status-fault" onClick={() => editor.current?.goToPointer(first.path)}>
          {[s.faulty(findings?.length ?? 0), pathText(first.path), plain(first.message)].filter(Boolean).join(' · ')}
        </button>
      )}
    </footer>
  );
}
