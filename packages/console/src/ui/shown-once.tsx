/** Secrets shown once. */
import type { ReactNode } from 'react';
import { Button, CopyButton, Notice } from './controls.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly text: string;
  readonly secrets: readonly { readonly name: string; readonly text: string }[];
  /** The label of the button that closes it. */
  readonly done: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** A dialog that a click beside it leaves open. */
export function ShownOnce({ title, text, secrets, done, children, onClose }: ShownOnceProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isFirm
      title={title}
      actions={
        <Button kind="primary" onClick={onClose}>
          {done}
        </Button>
      }
    >
      <Notice>{text}</Notice>
      {secrets.map((secret) => (
        <div key={secret.name}>
          {secrets.length > 1 && <p className="label">{secret.name}</p>}
          <div className="secret">
            <code>{secret.text}</code>
            <CopyButton text={secret.text} />
          </div>
        </div>
      ))}
      {children}
    </Dialog>
  );
}
