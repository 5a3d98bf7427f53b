/** A name that can be edited in place. */
import { useState } from 'react';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

interface RenameProps {
  readonly label: string;
  readonly name: string;
  /** The message after a change. */
  readonly done: string;
  readonly onRename: (name: string) => Promise<unknown>;
}

export function Rename({ label, name, done, onRename }: RenameProps) {
  const t = useTexts();
  const [typed, setTyped] = useState<string>();
  const next = (typed ?? name).trim();
  const isReady = next !== '' && next !== name;
  const rename = useAction(async () => {
    if (!isReady) return;
    await onRename(next);
    setTyped(undefined);
    toast(done, { action: undo(() => onRename(name).then(() => done)) });
  });
  return (
    <Form className="rename" action={rename}>
      <TextField label={label} value={typed ?? name} onChange={setTyped} maxLength={200} />
      <Button type="submit" isBusy={rename.isBusy} disabled={!isReady}>
        {t.common.save}
      </Button>
      <Fault error={rename.fault} />
    </Form>
  );
}
