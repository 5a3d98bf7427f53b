/** A short text that can be edited in place. */
import { useState } from 'react';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';
import './project-settings.css';

interface TextSettingProps {
  readonly label: string;
  readonly text: string;
  readonly charactersMax: number;
  /** Whether it cannot be empty. */
  readonly isRequired: boolean;
  /** The message after a change. */
  readonly done: string;
  readonly onChange: (text: string) => Promise<unknown>;
}

export function TextSetting({ label, text, charactersMax, isRequired, done, onChange }: TextSettingProps) {
  const t = useTexts();
  const [typed, setTyped] = useState<string>();
  const next = (typed ?? text).trim();
  const isReady = next !== text && !(isRequired && next === '');
  const change = useAction(async () => {
    if (!isReady) return;
    await onChange(next);
    setTyped(undefined);
    toast(done, { action: undo(() => onChange(text).then(() => done)) });
  });
  return (
    <Form className="text-setting" action={change}>
      <TextField label={label} value={typed ?? text} onChange={setTyped} maxLength={charactersMax} />
      <Button type="submit" isBusy={change.isBusy} disabled={!isReady} aria-label={t.common.saveOf(label)}>
        {t.common.save}
      </Button>
      <Fault error={change.fault} />
    </Form>
  );
}
