/** The bar above the document: how it is shown, undo, search and layout. */
import { ListTree, Redo2, Search, Undo2, WrapText } from 'lucide-react';
import type { ReactNode } from 'react';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button, Segments } from '../ui/controls.tsx';
import type { DocumentView } from './document-view.ts';
import type { EditedDocument } from './use-document.ts';
import '../ui/editor-toolbar.css';

const [useFormTexts] = textsOf('forms');

interface EditorToolbarProps {
  readonly edited: EditedDocument;
  readonly view: DocumentView;
  readonly isTreeOpen: boolean;
  readonly onView: (view: DocumentView) => void;
  readonly onTree: (isOpen: boolean) => void;
  readonly onFind: () => void;
}

export function EditorToolbar({ edited, view, isTreeOpen, onView, onTree, onFind }: EditorToolbarProps) {
  const t = useTexts();
  const f = useFormTexts();
  return (
    <div className="toolbar">
      <Segments
        label={f.view}
        value={view}
        onChange={onView}
        options={[
          { value: 'form', label: f.form },
          { value: 'json', label: 'JSON' },
        ]}
      />
      <Step icon={<Undo2 />} label={f.undo} isPossible={edited.canUndo} run={edited.undo} />
      <Step icon={<Redo2 />} label={f.redo} isPossible={edited.canRedo} run={edited.redo} />
      {view === 'json' && (
        <>
          <Button kind="quiet" size="small" icon={<Search />} aria-label={t.state.find} onClick={onFind}>
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
          <Button
            kind="quiet"
            size="small"
            icon={<ListTree />}
            aria-label={t.state.tree}
            aria-pressed={isTreeOpen}
            onClick={() => onTree(!isTreeOpen)}
          >
            {t.state.tree}
          </Button>
        </>
      )}
    </div>
  );
}

interface StepProps {
  readonly icon: ReactNode;
  readonly label: string;
  readonly isPossible: boolean;
  readonly run: () => void;
}

/** A button to undo or redo. */
export const Step = ({ icon, label, isPossible, run }: StepProps) => (
  <Button kind="quiet" size="small" icon={icon} aria-label={label} title={label} disabled={!isPossible} onClick={run} />
);
