/** Dialogs: a title, a body, and buttons at the end. */
import { Dialog as Base } from '@base-ui/react/dialog';
import type { Environment } from '@holdfast/contract';
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../texts/index.ts';
import { useAction } from './action.ts';
import { Fault } from './fault.tsx';
import { Form, FormEnd, TextField } from './form.tsx';
import { Plain } from './plain.tsx';
import { plain } from './plain-text.ts';
import { closeToasts, newestToast } from './toasts.tsx';
import './dialog.css';

export interface DialogProps {
  readonly isOpen: boolean;
  /** Undefined if nothing closes it. */
  readonly onClose: (() => void) | undefined;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly size?: 'large' | 'full';
  /** The environment that its main button changes, if any. */
  readonly env?: Environment;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether a click beside it leaves it open. */
  readonly isFirm?: boolean;
}

export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, text, size, env, children, actions, isFirm = false } = props;
  const t = useTexts();
  const popup = useRef<HTMLDivElement>(null);
  // The effect may run late, and again when a part of the page that waited is shown again: what has been said since stays.
  const before = useMemo(() => (isOpen ? newestToast() : 0), [isOpen]);
  useLayoutEffect(() => closeToasts(before), [before]);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()} disablePointerDismissal={isFirm}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" forceRender />
        <Base.Popup
          ref={popup}
          className={`dialog ${size ?? ''}`}
          data-writes={env}
          onKeyDown={saveOnKey}
          initialFocus={() => firstFocus(popup.current)}
        >
          <header>
            <Base.Title className="dialog-title">{typeof title === 'string' ? <Plain>{title}</Plain> : title}</Base.Title>
            {onClose !== undefined && (
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

/** Ctrl+Enter saves, wherever the focus is in the dialog. */
function saveOnKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  const button = event.currentTarget.querySelector<HTMLElement>('.save-form [type="submit"]:not(:disabled)');
  if (button === null) return;
  event.preventDefault();
  button.click();
}

/**
 * The element that a dialog focuses first: its first field, otherwise its first button at the end, which changes nothing. The layout choice
 * of a difference, the ticks of changes and what is already filled in are not fields; among radio buttons, the chosen one is focused.
 */
function firstFocus(popup: HTMLElement | null): HTMLElement | true {
  const fields =
    '.dialog-body :is(input:not(.segments *, .parts *, .settled *), textarea, select:not([data-settled]), [contenteditable="true"]):not(:disabled)';
  const find = (selector: string) => popup?.querySelector<HTMLElement>(selector);
  const first = find(fields);
  const chosen = first?.matches('[type="radio"]') === true ? find(`${fields}:checked`) : first;
  return chosen ?? first ?? find('.form-actions button, .dialog > footer button') ?? true;
}

export interface ConfirmProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly text: ReactNode;
  readonly action: string;
  /** What to type first. It is shown in `children`. */
  readonly typed?: string;
  /** Whether it can be undone: the button is not red. */
  readonly isHarmless?: boolean;
  readonly children?: ReactNode;
  /** Runs it. If it rejects, the dialog stays and shows the fault. */
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks before an action. */
export function Confirm({
  isOpen,
  onClose,
  title,
  text,
  action,
  typed,
  isHarmless = false,
  children,
  onConfirm,
}: ConfirmProps) {
  const t = useTexts();
  const [confirmation, setConfirmation] = useState('');
  const isReady = typed === undefined || [typed, plain(typed)].includes(confirmation.trim());
  const confirm = useAction(async () => {
    if (!isReady) return;
    await onConfirm();
    close();
  });
  const close = () => {
    setConfirmation('');
    confirm.forgetFault();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} text={text}>
      <Form action={confirm}>
        {children}
        {typed !== undefined && (
          <TextField label={t.common.typeToConfirm} value={confirmation} onChange={setConfirmation} spellCheck={false} />
        )}
        <Fault error={confirm.fault} />
        <FormEnd
          action={confirm}
          kind={isHarmless ? 'primary' : 'danger'}
          label={action}
          isReady={isReady}
          onCancel={close}
        />
      </Form>
    </Dialog>
  );
}
