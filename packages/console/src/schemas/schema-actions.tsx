/** The actions on the saved rules, on each of their tabs: promote them, and block bad changes or change the mode. */
import { GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { forgetSchema, type SchemaKey, type SchemaRecord } from '../api/schemas.ts';
import { useWriting } from '../state/writing.ts';
import { useTexts } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Button } from '../ui/controls.tsx';
import { PromoteSchema } from './promote-schema.tsx';
import { SaveSchema } from './save-schema.tsx';

interface SchemaActionsProps {
  readonly schemaKey: SchemaKey;
  readonly record: SchemaRecord;
  /** Called with a version that was saved here. */
  readonly onSaved?: (record: SchemaRecord) => void;
}

export function SchemaActions({ schemaKey, record, onSaved }: SchemaActionsProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const writing = useWriting(schemaKey, 'write_schemas');
  const [open, setOpen] = useState<'promote' | 'mode'>();
  const close = () => setOpen(undefined);
  const isReporting = record.mode === 'report';
  const [start, rest] = s.startBlocking;
  return (
    <>
      <Button icon={<GitCompareArrows />} onClick={() => setOpen('promote')}>
        {s.promote}
      </Button>
      <Button disabled={writing.isForbidden} onClick={() => setOpen('mode')}>
        {isReporting ? start : s.changeMode}
        {isReporting && rest !== '' && <span className="wide-words">{rest}</span>}
      </Button>
      {open === 'promote' && <PromoteSchema schemaKey={schemaKey} source={record} onClose={close} />}
      {open === 'mode' && (
        <SaveSchema
          schemaKey={schemaKey}
          base={record}
          next={record.schema}
          mode={isReporting ? 'enforce' : record.mode}
          title={s.modeTitle}
          action={t.state.saveVersion}
          done={({ version }) => s.saved(version)}
          onClose={close}
          onSaved={(saved) => {
            close();
            onSaved?.(saved);
            void forgetSchema(schemaKey);
          }}
        />
      )}
    </>
  );
}
