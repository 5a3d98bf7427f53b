/** Dialogs: a title, a body, and buttons at the end. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../texts/index.ts';
import { Button, Field } from './controls.tsx';
import { Fault } from './fault.tsx';

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly text?: ReactNode;
  readonly size?: 'wide' | 'full';
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether only its buttons close it. */
  readonly isFirm?: boolean;
}

export function Dialog({ isOpen, onClose, title, text, size, children, actions, isFirm = false }: DialogProps) {
  const t = useTexts();
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()} disablePointerDismissal={isFirm}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`dialog ${size ?? ''}`}>
          <header>
            <Base.Title className="dialog-title">{title}</Base.Title>
            {!isFirm && (
              <Base.Close className="button quiet icon-only" aria-label={t.common.close}>
                <X />
              </Base.Close>
            )}
          </header>
          <div className="dialog-body">
            {text && <Base.Description className="dialog-text">{text}</Base.Description>}
            {children}
          </div>
          {actions && <footer>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export interface ConfirmProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly text: ReactNode;
  readonly action: string;
  /** What has to be typed first. */
  readonly typed?: string;
  readonly children?: ReactNode;
  /** Does it. The dialog stays, with what went wrong, when it rejects. */
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ isOpen, onClose, title, text, action, typed, children, onConfirm }: ConfirmProps) {
  const t = useTexts();
  const [text_, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const close = () => {
    setText('');
    setFault(undefined);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || (typed !== undefined && text_.trim() !== typed)) return;
    setBusy(true);
    setFault(undefined);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} text={text}>
      <form onSubmit={(event) => void submit(event)}>
        {children}
        {typed !== undefined && (
          <Field label={t.common.typeToConfirm(typed)}>
            {(attributes) => (
              <input
                {...attributes}
                value={text_}
                onChange={(event) => setText(event.target.value)}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
        )}
        <Fault error={fault} />
        <div className="form-actions">
          <Button onClick={close}>{t.common.cancel}</Button>
          <Button kind="danger" type="submit" isBusy={isBusy} disabled={typed !== undefined && text_.trim() !== typed}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
