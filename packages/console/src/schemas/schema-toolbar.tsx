/** The bar above the JSON of a schema: undo, search and layout. */
import { Redo2, Search, Undo2, WrapText } from 'lucide-react';
import type { CodeEditorHandle } from '../state/code-editor.tsx';
import { useTexts } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Button } from '../ui/controls.tsx';
import type { EditedSchema } from './use-schema-text.ts';
import '../state/editor-toolbar.css';

interface SchemaToolbarProps {
  readonly edited: EditedSchema;
  readonly editor: { readonly current: CodeEditorHandle | null };
}

export function SchemaToolbar({ edited, editor }: SchemaToolbarProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  return (
    <div className="toolbar">
      <Button kind="quiet" size="small" icon={<Undo2 />} aria-label={s.undo} title={s.undo} onClick={edited.undo} />
      <Button kind="quiet" size="small" icon={<Redo2 />} aria-label={s.redo} title={s.redo} onClick={edited.redo} />
      <Button
        kind="quiet"
        size="small"
        icon={<Search />}
        aria-label={t.state.find}
        onClick={() => editor.current?.openSearch()}
      >
        {t.state.find}
      </Button>
      <Button
        kind="quiet"
        size="small"
        icon={<WrapText />}
        aria-label={t.state.format}
        onClick={edited.format}
        disabled={edited.read.kind === 'fault'}
      >
        {t.state.format}
      </Button>
    </div>
  );
}
