/** The bar above the JSON of a schema: undo, search and layout. */
import { Redo2, Search, Undo2, WrapText } from 'lucide-react';
import type { CodeEditorHandle } from '../editor/code-editor.tsx';
import { Step } from '../editor/editor-toolbar.tsx';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import type { EditedSchema } from './use-schema-text.ts';
import '../ui/editor-toolbar.css';

const [useSchemaTexts] = textsOf('schemas');

interface SchemaToolbarProps {
  readonly edited: EditedSchema;
  readonly editor: { readonly current: CodeEditorHandle | null };
}

export function SchemaToolbar({ edited, editor }: SchemaToolbarProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  return (
    <div className="toolbar">
      <Step icon={<Undo2 />} label={s.undo} isPossible={edited.canUndo} run={edited.undo} />
      <Step icon={<Redo2 />} label={s.redo} isPossible={edited.canRedo} run={edited.redo} />
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
