/** The actions on the saved rules, on each of their tabs: promote them, block bad changes or change the mode, and delete them. */
import { GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/http.ts';
import { forgetSchema, type SchemaKey, type SchemaRecord } from '../../api/schemas.ts';
import { useWriting } from '../../saving/writing.ts';
import { textsOf } from '../../texts/index.ts';
import { Button } from '../../ui/controls.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { toast } from '../../ui/toasts.tsx';
import { wideWindow } from '../../ui/wide-window.ts';
import { PromoteSchema } from './promote-schema.tsx';
import { SaveSchema } from './save-schema.tsx';

const [useSchemaTexts] = textsOf('schemas');

interface SchemaActionsProps {
  readonly schemaKey: SchemaKey;
  readonly record: SchemaRecord;
  /** Called with a version that was saved here. */
  readonly onSaved?: (record: SchemaRecord) => void;
  readonly onRemoved?: () => void;
}

/** In a narrow window, all actions are in the menu. */
const useHasRoom = wideWindow(641);

export function SchemaActions({ schemaKey, record, onSaved, onRemoved }: SchemaActionsProps) {
  const s = useSchemaTexts();
  const { isForbidden } = useWriting(schemaKey, 'write_schemas');
  const hasRoom = useHasRoom();
  const [open, setOpen] = useState<'promote' | 'mode' | 'remove'>();
  const close = () => setOpen(undefined);
  const isReporting = record.mode === 'report';
  const promote = { label: s.promote, run: () => setOpen('promote') };
  const mode = { label: isReporting ? s.startBlocking : s.changeMode, run: () => setOpen('mode') };
  const remove = { label: s.remove, run: () => setOpen('remove'), isDanger: true as const };
  return (
    <>
      {hasRoom && (
        <>
          <Button icon={<GitCompareArrows />} onClick={promote.run}>
            {promote.label}
          </Button>
          <Button disabled={isForbidden} onClick={mode.run}>
            {mode.label}
          </Button>
        </>
      )}
      <RowMenu
        label={s.more}
        actions={[...(hasRoom ? [] : [promote]), ...(isForbidden ? [] : [...(hasRoom ? [] : [mode]), remove])]}
      />
      {open === 'promote' && <PromoteSchema schemaKey={schemaKey} source={record} onClose={close} />}
      {open === 'mode' && (
        <SaveSchema
          schemaKey={schemaKey}
          base={record}
          next={record.schema}
          mode={isReporting ? 'enforce' : record.mode}
          title={s.modeTitle}
          done={({ version }) => s.saved(version)}
          onClose={close}
          onSaved={(saved) => {
            close();
            onSaved?.(saved);
            void forgetSchema(schemaKey);
          }}
        />
      )}
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={s.remove}
        text={s.removeText}
        action={s.remove}
        onConfirm={async () => {
          await call('deleteSchema', { params: schemaKey, ifVersion: record.version });
          toast(s.removed);
          onRemoved?.();
          await forgetSchema(schemaKey);
        }}
      />
    </>
  );
}
