/** The problems of the current configuration, as its editor counts them. Each links to its place there. */
import { isContainer, printJson } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { stateQuery } from '../api/queries.ts';
import type { SchemaKey, SchemaRecord } from '../api/schemas.ts';
import type { StateRecord } from '../api/state.ts';
import type { Value } from '../state/changes.ts';
import { areCut, findingsIn } from '../state/document-check.ts';
import { shortened } from '../state/short-value.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { Notice } from '../ui/controls.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { plain } from '../ui/plain-text.ts';
import { type Column, Table } from '../ui/table.tsx';
import { groupedProblems, type Problem, type ProblemGroup } from './problem-groups.ts';
import './current-problems.css';

interface CurrentProblemsProps {
  readonly schemaKey: SchemaKey;
  readonly record: SchemaRecord;
  /** Called after the check with the number of broken rules. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each check
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
            <Groups schemaKey={schemaKey} groups={groupedProblems(stored.state, findings)} />
          </>
        )
      }
    </Loaded>
  );
}

interface GroupsProps {
  readonly schemaKey: SchemaKey;
  readonly groups: readonly ProblemGroup[];
}

/** Entries that break the same rule can be unfolded; the other problems are below. */
function Groups({ schemaKey, groups }: GroupsProps) {
  const s = useSchemaTexts();
  const singles = groups.flatMap(({ problems }) => (problems.length === 1 ? problems : []));
  return (
    <>
      {groups.map(
        ({ path, message, problems }) =>
          problems.length > 1 && (
            <details key={JSON.stringify([path, message])} className="problem-group" open={groups.length === 1}>
              <summary>
                <bdi>{textOf(path.map((step) => step ?? s.words.each)) || s.whole}</bdi>
                <span>{plain(message)}</span>
                <span className="badge">{s.entries(problems.length)}</span>
              </summary>
              <Problems schemaKey={schemaKey} problems={problems} isOneRule />
            </details>
          ),
      )}
      {singles.length > 0 && <Problems schemaKey={schemaKey} problems={singles} />}
    </>
  );
}

interface ProblemsProps {
  readonly schemaKey: SchemaKey;
  readonly problems: readonly Problem[];
  /** Whether their heading says the rule. */
  readonly isOneRule?: true;
}

function Problems({ schemaKey, problems, isOneRule }: ProblemsProps) {
  const s = useSchemaTexts();
  const rule: readonly Column<Problem>[] = isOneRule
    ? []
    : [{ name: s.problem, isPlain: true, cell: ({ finding }) => plain(finding.message) }];
  return (
    <Table
      label={s.where}
      isLinked
      rows={problems}
      keyOf={({ finding: { path, message } }) => `${path} ${message}`}
      columns={[
        { name: s.where, cell: (problem) => <Place schemaKey={schemaKey} problem={problem} /> },
        { name: s.value, kind: 'number', cell: ({ value }) => shownValue(value) },
        ...rule,
      ]}
    />
  );
}

const textOf = (path: readonly string[]): string => path.map(plain).join(' › ');

/** Only of values that fit in a line. */
const shownValue = (value: Value): string | null =>
  value === undefined || isContainer(value) ? null : plain(shortened(printJson(value)));

function Place({ schemaKey: { slug, env }, problem }: { schemaKey: SchemaKey; problem: Problem }) {
  const s = useSchemaTexts();
  const { finding, path } = problem;
  const { flag } = finding;
  const text = textOf(path) || s.whole;
  return (
    <bdi>
      {flag === undefined || flag === '' ? (
        <Link to="/p/$slug/$env/state" params={{ slug, env }} search={{ at: finding.path }}>
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
