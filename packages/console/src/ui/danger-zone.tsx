/** Deletes something, after a confirmation. */
import { type ReactNode, useState } from 'react';
import { Button, CopyButton } from './controls.tsx';
import { Confirm } from './dialog.tsx';
import { plain } from './plain-text.ts';
import { Setting } from './setting.tsx';

interface DangerZoneProps {
  readonly title: string;
  /** The title of the confirmation, which names what is deleted. */
  readonly question?: ReactNode;
  readonly text: string;
  readonly action: string;
  /** What to type first. */
  readonly typed: string;
  readonly onConfirm: () => Promise<unknown>;
}

export function DangerZone({ title, question = title, text, action, typed, onConfirm }: DangerZoneProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Setting title={title} text={text} className="danger-zone">
      <Button kind="danger" onClick={() => setAsking(true)}>
        {action}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={question}
        text={text}
        action={action}
        typed={typed}
        onConfirm={onConfirm}
      >
        <div className="field">
          <div className="secret">
            <code>{plain(typed)}</code>
            <CopyButton text={typed} size="small" />
          </div>
        </div>
      </Confirm>
    </Setting>
  );
}
