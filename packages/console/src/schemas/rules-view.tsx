/** The rules of a schema in words, field by field. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { forgetSchema, type SchemaKey, type SchemaRecord, schemaKeyName } from '../api/schemas.ts';
import { drafts } from '../state/drafts.ts';
import { useWriting } from '../state/writing.ts';
import { formatNumber, useLanguage, useTexts } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { Below, Table } from '../ui/table.tsx';
import { FieldName, fieldKey } from './field-name.tsx';
import { rulesInWords, rulesMax } from './rules-in-words.ts';
import { SaveSchema } from './save-schema.tsx';

interface RulesViewProps {
  readonly schemaKey: SchemaKey;
  readonly record: SchemaRecord;
  readonly onEdit: () => void;
}

export function RulesView({ schemaKey, record, onEdit }: RulesViewProps) {
  const s = useSchemaTexts();
  const name = schemaKeyName(schemaKey);
  const { data: hasDraft } = useQuery({
    queryKey: ['draft of', name],
    queryFn: async () => (await drafts.read(name)) !== undefined,
    gcTime: 0,
  });
  const rules = rulesInWords(s, record.schema, useLanguage());
  return (
    <>
      {hasDraft && (
        <Notice kind="warn" title={s.draftTitle} action={<Button onClick={onEdit}>{s.draftOpen}</Button>}>
          {s.draftText}
        </Notice>
      )}
      {rules.length === 0 ? (
        <Notice>{s.noRules}</Notice>
      ) : (
        <Table
          label={s.views.rules}
          rows={rules}
          keyOf={fieldKey}
          columns={[
            { name: s.field, cell: (rule) => <FieldName rule={rule} /> },
            {
              name: s.rule,
              isPlain: true,
              cell: ({ words, description }) => (
                <>
                  <bdi>{words}</bdi>
                  {description !== undefined && (
                    <Below>
                      <bdi>{description}</bdi>
                    </Below>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      {rules.length === rulesMax && <p className="hint">{s.moreRules(formatNumber(rulesMax))}</p>}
    </>
  );
}

/** Offers the next step: to block bad changes, or to change the mode. */
export function ModeButton({ schemaKey, record }: Pick<RulesViewProps, 'schemaKey' | 'record'>) {
  const t = useTexts();
  const s = useSchemaTexts();
  const writing = useWriting(schemaKey, 'write_schemas');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isReporting = record.mode === 'report';
  return (
    <>
      <Button kind="primary" disabled={writing.isForbidden} onClick={() => setOpen(true)}>
        {isReporting ? s.startBlocking : s.changeMode}
      </Button>
      {isOpen && (
        <SaveSchema
          schemaKey={schemaKey}
          base={record}
          next={record.schema}
          mode={isReporting ? 'enforce' : record.mode}
          title={s.modeTitle}
          action={t.state.saveVersion}
          done={({ version }) => s.saved(version)}
          onClose={close}
          onSaved={() => {
            close();
            void forgetSchema(schemaKey);
          }}
        />
      )}
    </>
  );
}
