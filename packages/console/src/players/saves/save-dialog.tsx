/** A dialog that writes a save: what changes, why, and the button. */
import type { ReactNode } from 'react';
import type { StateRecord } from '../../api/state.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import type { Action } from '../../ui/action.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, FormEnd } from '../../ui/form.tsx';
import { ReasonField } from './reason-field.tsx';
import { SaveTitle, type SaveTitleProps } from './save-title.tsx';

const [usePlayerTexts] = textsOf('players');

interface SaveDialogProps extends SaveTitleProps {
  readonly text: string;
  /** The changes. */
  readonly children: ReactNode;
  readonly isNothing: boolean;
  readonly comment: string;
  readonly onComment: (comment: string) => void;
  readonly write: Action;
  /** The label of the main button. */
  readonly label: string;
  readonly onClose: () => void;
}

export function SaveDialog(props: SaveDialogProps) {
  const { saveKey, title, text, children, isNothing, comment, onComment, write, label, onClose } = props;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      title={<SaveTitle saveKey={saveKey} title={title} />}
      text={text}
      env={saveKey.env}
    >
      {children}
      <Fault error={write.fault} />
      <Form className="save-form" isShort action={write}>
        <ReasonField value={comment} onChange={onComment} />
        <FormEnd action={write} label={label} isReady={!isNothing && comment.trim() !== ''} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** The names of both sides of a comparison with the current save. */
export function useSides(current: StateRecord | null): { readonly fromLabel: string; readonly toLabel: string } {
  const t = useTexts();
  const p = usePlayerTexts();
  const fromLabel = current === null ? p.noSave : `${t.history.current} · ${t.common.version(current.version)}`;
  return { fromLabel, toLabel: p.afterwards };
}
