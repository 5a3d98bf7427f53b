/** The problems of an environment with its schema: in what is saved, and in writes since the schema was saved. */
import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { type SchemaKey, type SchemaRecord, schemaQuery, schemaReportQuery } from '../api/schemas.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Button, EmptyState, Notice } from '../ui/controls.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Scan } from './scan.tsx';
import { ViolationTable } from './violation-table.tsx';

interface ReportViewProps {
  readonly schemaKey: SchemaKey;
  readonly onEdit: () => void;
}

export function ReportView({ schemaKey, onEdit }: ReportViewProps) {
  const s = useSchemaTexts();
  const schema = useQuery(schemaQuery(schemaKey));
  if (schema.data === null) {
    return (
      <EmptyState
        icon={<ListChecks />}
        title={s.empty[schemaKey.kind]}
        action={<Button onClick={onEdit}>{s.start}</Button>}
      >
        {s.emptyText[schemaKey.kind]}
      </EmptyState>
    );
  }
  return (
    <Loaded query={schema} rows={6}>
      {(record) => (
        <>
          <Saved schemaKey={schemaKey} record={record} />
          <Written schemaKey={schemaKey} record={record} onEdit={onEdit} />
        </>
      )}
    </Loaded>
  );
}

interface PartProps {
  readonly schemaKey: SchemaKey;
  readonly record: SchemaRecord;
}

/** One document is checked when the page opens; saves, which may be many, when somebody asks. */
function Saved({ schemaKey, record }: PartProps) {
  const s = useSchemaTexts();
  const [isAsked, setAsked] = useState(schemaKey.kind === 'public-state');
  return (
    <section className="problems">
      <h2>{s.savedProblems[schemaKey.kind]}</h2>
      {isAsked ? (
        <Scan schemaKey={schemaKey} schema={record.schema} />
      ) : (
        <Button onClick={() => setAsked(true)}>{s.checkSaves}</Button>
      )}
    </section>
  );
}

function Written({ schemaKey, record, onEdit }: PartProps & Pick<ReportViewProps, 'onEdit'>) {
  const s = useSchemaTexts();
  const report = useQuery(schemaReportQuery(schemaKey));
  const isCounting = record.mode === 'report';
  return (
    <section className="problems">
      <h2>{s.reportLead(record.version)}</h2>
      <Loaded query={report} rows={6}>
        {(items) =>
          items.length > 0 ? (
            <ViolationTable schema={record.schema} items={items} countName={s.count} />
          ) : (
            <Notice
              {...(isCounting && { kind: 'good' })}
              title={isCounting ? s.reportEmpty : s.reportOff}
              action={<Button onClick={onEdit}>{isCounting ? s.enforceNow : s.changeMode}</Button>}
            >
              {isCounting ? s.reportEmptyText : s.reportOffText}
            </Notice>
          )
        }
      </Loaded>
    </section>
  );
}
