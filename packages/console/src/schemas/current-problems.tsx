/** The problems of the current configuration, as its editor counts them. Each links to its place there. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { stateQuery } from '../api/queries.ts';
import type { SchemaKey, SchemaRecord } from '../api/schemas.ts';
import type { StateRecord } from '../api/state.ts';
import { areCut, findingsIn } from '../state/document-check.ts';
import type { Finding } from '../state/document-text.ts';
import { pathText } from '../state/pointer-text.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Notice } from '../ui/controls.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { plain } from '../ui/plain-text.ts';
import { Table } from '../ui/table.tsx';

interface CurrentProblemsProps {
  readonly schemaKey: SchemaKey;
  readonly record: SchemaRecord;
  /** Called once it is checked, with the number of broken rules. */
  readonly onDone: (failing: number) => void;
}

export function CurrentProblems({ schemaKey, record, onDone }: CurrentProblemsProps) {
  const s = useSchemaTexts();
  const { kind: _, ...stateKey } = schemaKey;
  const current = useQuery(stateQuery(stateKey));
  return (
    <Loaded query={current} rows={4}>
      {(stored) =>
        stored === null ? (
          <Notice>{s.nothingStored}</Notice>
        ) : (
          <Checked schemaKey={schemaKey} record={record} stored={stored} onDone={onDone} />
        )
      }
    </Loaded>
  );
}

function Checked({ schemaKey, record, stored, onDone }: CurrentProblemsProps & { stored: StateRecord }) {
  const s = useSchemaTexts();
  const checked = useQuery({
    queryKey: ['problems', schemaKey, record.version, stored.version],
    queryFn: ({ signal }) => findingsIn(schemaKey, stored.state, { mode: record.mode, isFlagRefused: false }, signal),
    staleTime: Number.POSITIVE_INFINITY, // versions never change
  });
  const failing = checked.data?.filter(({ flag }) => flag === undefined).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once of each check
  useEffect(() => {
    if (failing !== undefined) onDone(failing);
  }, [failing]);
  return (
    <Loaded query={checked} rows={4}>
      {(findings) =>
        findings.length === 0 ? (
          <Notice kind="good">{s.documentFits}</Notice>
        ) : (
          <>
            <Notice kind="warn" title={(areCut(findings) ? s.documentProblemsMin : s.documentProblems)(findings.length)}>
              {s.documentFailsText}
            </Notice>
            <Table
              label={s.where}
              isLinked
              rows={findings}
              keyOf={({ path, message }) => `${path} ${message}`}
              columns={[
                { name: s.where, cell: (finding) => <Place schemaKey={schemaKey} finding={finding} /> },
                { name: s.problem, isPlain: true, cell: ({ message }) => plain(message) },
              ]}
            />
          </>
        )
      }
    </Loaded>
  );
}

function Place({ schemaKey: { slug, env }, finding: { path, flag } }: { schemaKey: SchemaKey; finding: Finding }) {
  const s = useSchemaTexts();
  const text = pathText(path) || s.whole;
  return (
    <bdi>
      {flag === undefined || flag === '' ? (
        <Link to="/p/$slug/$env/state" params={{ slug, env }} search={{ at: path }}>
          {text}
        </Link>
      ) : (
        <Link to="/p/$slug/$env/flags" params={{ slug, env }} search={{ flag }}>
          {text}
        </Link>
      )}
    </bdi>
  );
}
