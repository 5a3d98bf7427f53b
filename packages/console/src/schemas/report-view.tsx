/** Counted violations of a schema by writes. */
import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { type SchemaKey, type SchemaRecord, schemaQuery, schemaReportQuery } from '../api/schemas.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Button, EmptyState } from '../ui/controls.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { ViolationTable } from './violation-table.tsx';

export function ReportView({ schemaKey, onEdit }: { schemaKey: SchemaKey; onEdit: () => void }) {
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
      {(record) => <Counted schemaKey={schemaKey} record={record} onEdit={onEdit} />}
    </Loaded>
  );
}

function Counted({ schemaKey, record, onEdit }: { schemaKey: SchemaKey; record: SchemaRecord; onEdit: () => void }) {
  const s = useSchemaTexts();
  const report = useQuery(schemaReportQuery(schemaKey));
  const isCounting = record.mode === 'report';
  return (
    <Loaded query={report} rows={6}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState
            icon={<ListChecks />}
            title={isCounting ? s.reportEmpty : s.reportOff}
            action={<Button onClick={onEdit}>{isCounting ? s.enforceNow : s.changeMode}</Button>}
          >
            {isCounting ? s.reportEmptyText : s.reportOffText}
          </EmptyState>
        ) : (
          <>
            <p className="hint report-lead">{s.reportLead(record.version)}</p>
            <ViolationTable items={items} countName={s.count} />
          </>
        )
      }
    </Loaded>
  );
}
