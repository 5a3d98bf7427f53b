/** The rules of a schema in words, field by field. */
import { useQuery } from '@tanstack/react-query';
import { type SchemaKey, type SchemaRecord, schemaKeyName } from '../api/schemas.ts';
import { drafts } from '../state/drafts.ts';
import { formatNumber, useLanguage } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { Below, Table } from '../ui/table.tsx';
import { FieldName, fieldKey } from './field-name.tsx';
import { rulesInWords, rulesMax } from './rules-in-words.ts';

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
