/** The problems of an environment with its schema: in what is saved, and in writes since the schema was saved. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type SchemaKey, type SchemaRecord, schemaReportQuery } from '../../api/schemas.ts';
import { textsOf } from '../../texts/index.ts';
import { Button, Notice } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { CurrentProblems } from './current-problems.tsx';
import { Scan } from './scan.tsx';
import { ViolationTable } from './violation-table.tsx';

const [useSchemaTexts] = textsOf('schemas');

interface PartProps {
  readonly schemaKey: SchemaKey;
  readonly record: SchemaRecord;
}

export function ReportView({ schemaKey, record }: PartProps) {
  /** How many saved documents break a rule; undefined before all are checked. */
  const [failing, setFailing] = useState<number>();
  return (
    <>
      <Saved schemaKey={schemaKey} record={record} onDone={setFailing} />
      <Written schemaKey={schemaKey} record={record} failing={failing} />
    </>
  );
}

/** One document is checked when the page opens; saves, which may be many, when somebody asks. */
function Saved({ schemaKey, record, onDone }: PartProps & { onDone: (failing: number) => void }) {
  const s = useSchemaTexts();
  const [isAsked, setAsked] = useState(false);
  return (
    <section className="problems">
      <h2>{s.savedProblems[schemaKey.kind]}</h2>
      {schemaKey.kind === 'public-state' ? (
        <CurrentProblems schemaKey={schemaKey} record={record} onDone={onDone} />
      ) : isAsked ? (
        <Scan schemaKey={schemaKey} schema={record.schema} onDone={onDone} />
      ) : (
        <>
          <p className="hint">{s.checkSavesText}</p>
          <Button onClick={() => setAsked(true)}>{s.checkSaves}</Button>
        </>
      )}
    </section>
  );
}

interface WrittenProps extends PartProps {
  readonly failing: number | undefined;
}

function Written({ schemaKey, record, failing }: WrittenProps) {
  const s = useSchemaTexts();
  const report = useQuery(schemaReportQuery(schemaKey));
  const isCounting = record.mode === 'report';
  const isBroken = failing !== undefined && failing > 0;
  // What is saved is known to fit; many saves are checked only when somebody asks.
  const isGood = isCounting && (failing === 0 || (failing === undefined && schemaKey.kind === 'user-state'));
  return (
    <section className="problems">
      <h2>{s.reportLead(record.version)}</h2>
      <Loaded query={report} rows={6}>
        {(items) =>
          items.length > 0 ? (
            <ViolationTable schemaKey={schemaKey} schema={record.schema} items={items} countName={s.count} />
          ) : (
            <Notice {...(isGood && { kind: 'good' })} title={isCounting ? s.reportEmpty : s.reportOff}>
              {!isCounting ? s.reportOffText : isBroken ? s.mendFirst : s.reportEmptyText}
            </Notice>
          )
        }
      </Loaded>
    </section>
  );
}
