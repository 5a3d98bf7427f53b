/** The bar above an open text: undo, and search and layout of its JSON. */
import type { JsonValue } from '@holdfast/json';
import { Redo2, Search, Undo2, WrapText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DocumentText } from '../json-text/document-text.ts';
import type { Undoable } from '../open-text/text-buffer.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import './editor-toolbar.css';

const [useFormTexts] = textsOf('forms');

interface EditorToolbarProps {
  readonly edited: Undoable & { readonly read: DocumentText<JsonValue>; format(): void };
  /** Whether the JSON is shown. */
  readonly isJson: boolean;
  readonly onFind: () => void;
  /** The choice of how the text is shown. */
  readonly lead?: ReactNode;
  /** Further buttons for the JSON. */
  readonly children?: ReactNode;
}

export function EditorToolbar({ edited, isJson, onFind, lead, children }: EditorToolbarProps) {
  const t = useTexts();
  return (
    <div className="toolbar">
      {lead}
      <StepButtons edited={edited} />
      {isJson && (
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
          {children}
        </>
      )}
    </div>
  );
}

/** The buttons to undo and redo. */
export function StepButtons({ edited: { canUndo, canRedo, undo, redo } }: { edited: Undoable }) {
  const f = useFormTexts();
  const button = (icon: ReactNode, label: string, isPossible: boolean, run: () => void) => (
    <Button kind="quiet" size="small" icon={icon} aria-label={label} title={label} disabled={!isPossible} onClick={run} />
  );
  return (
    <>
      {button(<Undo2 />, f.undo, canUndo, undo)}
      {button(<Redo2 />, f.redo, canRedo, redo)}
    </>
  );
}
