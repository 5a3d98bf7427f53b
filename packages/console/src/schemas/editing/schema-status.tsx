/** The line below the editor of a schema: whether it is valid, or its faults. */
import type { RefObject } from 'react';
import type { CodeEditorHandle } from '../../editor/code-editor.tsx';
import type { Finding } from '../../json-text/document-text.ts';
import { faultSentence } from '../../json-text/json-faults.ts';
import { textsOf } from '../../texts/index.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { plain } from '../../ui/plain-text.ts';
import { pathText } from '../../ui/pointer-text.ts';
import type { EditedSchema } from './open-schema.ts';
import '../../ui/status-bar.css';

const [useSchemaTexts] = textsOf('schemas');

interface SchemaStatusProps {
  readonly edited: EditedSchema;
  readonly editor: RefObject<CodeEditorHandle | null>;
}

/** The number of faults or, if there are none, of warnings about a usable schema. */
function summary(s: SchemaTexts, findings: readonly Finding[]): string {
  const problems = findings.filter(({ severity }) => severity === 'error').length;
  return problems > 0 ? s.faulty(problems) : s.warned(findings.length);
}

export function SchemaStatus({ edited: { read, findings }, editor }: SchemaStatusProps) {
  const s = useSchemaTexts();
  const [first] = findings ?? [];
  if (read.kind === 'fault') {
    return (
      <footer className="status-bar">
        <button type="button" className="status-fault" onClick={() => editor.current?.goTo(read.position)}>
          {faultSentence(read.fault)}
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
        <button
          type="button"
          className="status-fault"
          data-severity={first.severity}
          onClick={() => editor.current?.goToPointer(first.path)}
        >
          {[summary(s, findings ?? []), pathText(first.path), plain(first.message)].filter(Boolean).join(' · ')}
        </button>
      )}
    </footer>
  );
}
