/** The menu of a flag: its deletion. */
import { useState } from 'react';
import { textsOf, useTexts } from '../texts/index.ts';
import { Confirm } from '../ui/dialog.tsx';
import { plain } from '../ui/plain-text.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { toast } from '../ui/toasts.tsx';

const [useFlagTexts] = textsOf('flags');

interface FlagMenuProps {
  readonly flagKey: string;
  readonly onDelete: () => void;
}

export function FlagMenu({ flagKey, onDelete }: FlagMenuProps) {
  const t = useTexts();
  const f = useFlagTexts();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <RowMenu
        label={plain(`${t.palette.actions}: ${flagKey}`)}
        actions={[{ label: f.delete, run: () => setAsking(true), isDanger: true }]}
      />
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`${f.delete}: ${flagKey}`}
        text={f.deleteText}
        action={f.delete}
        onConfirm={async () => {
          onDelete();
          toast(f.deleted(flagKey));
        }}
      />
    </>
  );
}
