/** The problems of the current configuration, as its editor counts them. Each links to its place there. */
import { isContainer } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { stateQuery } from '../../api/queries.ts';
import type { SchemaKey, SchemaRecord } from '../../api/schemas.ts';
import type { StateRecord } from '../../api/state.ts';
import { shortened } from '../../diff/short-value.ts';
import { Quoted, valueInLine } from '../../diff/value-in-line.tsx';
import type { Value } from '../../json-text/changes.ts';
import { areCut, findingsIn } from '../../problems/document-check.ts';
import { textsOf } from '../../texts/index.ts';
import { Notice } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { plain } from '../../ui/plain-text.ts';
import { Table } from '../../ui/table.tsx';
import { groupedProblems, type Problem, type ProblemGroup } from './problem-groups.ts';
import './current-problems.css';

const [useSchemaTexts] = textsOf('schemas');
const [useChangeTexts] = textsOf('changes');

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
          <Notice kind="good">{s.documentBreaksNone}</Notice>
        ) : (
          <>
            <Notice kind="warn" title={(areCut(findings) ? s.documentProblemsMin : s.documentProblems)(findings.length)}>
              {s.documentFailsText}
            </Notice>
            <Problems schemaKey={schemaKey} groups={groupedProblems(stored.state, findings)} />
          </>
        )
      }
    </Loaded>
  );
}

/** A row of the list: a problem, or the rule that many entries break, with its problems below once it is unfolded. */
type Row =
  | { readonly kind: 'problem'; readonly problem: Problem; readonly isEntry: boolean }
  | { readonly kind: 'group'; readonly group: ProblemGroup; readonly key: string };

interface ProblemsProps {
  readonly schemaKey: SchemaKey;
  readonly groups: readonly ProblemGroup[];
}

/** Entries that break the same rule are folded, unless nothing else is broken. */
function Problems({ schemaKey, groups }: ProblemsProps) {
  const s = useSchemaTexts();
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(
    () => new Set(groups.length === 1 ? groups.map(keyOf) : []),
  );
  const fold = (key: string) => setUnfolded((before) => before.symmetricDifference(new Set([key])));
  const rows = groups.flatMap((group): readonly Row[] => {
    const key = keyOf(group);
    const isGroup = group.problems.length > 1;
    const problems = group.problems.map((problem) => ({ kind: 'problem', problem, isEntry: isGroup }) as const);
    if (!isGroup) return problems;
    return [{ kind: 'group', group, key }, ...(unfolded.has(key) ? problems : [])];
  });
  return (
    <Table
      label={s.where}
      isLinked
      rows={rows}
      keyOf={(row) => (row.kind === 'group' ? row.key : `${row.problem.finding.path} ${row.problem.finding.message}`)}
      columns={[
        {
          name: s.where,
          cell: (row) =>
            row.kind === 'group' ? (
              <GroupPlace {...row} isUnfolded={unfolded.has(row.key)} onFold={() => fold(row.key)} />
            ) : (
              <Place schemaKey={schemaKey} {...row} />
            ),
        },
        {
          name: s.problem,
          isPlain: true,
          cell: (row) =>
            row.kind === 'group' ? plain(row.group.message) : row.isEntry ? null : plain(row.problem.finding.message),
        },
        {
          name: s.value,
          kind: 'number',
          cell: (row) => (row.kind === 'group' ? '' : <ShownValue value={row.problem.value} />),
        },
      ]}
    />
  );
}

const keyOf = ({ path, message }: ProblemGroup): string => JSON.stringify([path, message]);

const textOf = (path: readonly string[]): string => path.map(plain).join(' › ');

/** Only of values that fit in a line. */
function ShownValue({ value }: { value: Value }) {
  const c = useChangeTexts();
  if (value === undefined || isContainer(value)) return null;
  return <Quoted value={value}>{shortened(valueInLine(c, value))}</Quoted>;
}

interface GroupPlaceProps {
  readonly group: ProblemGroup;
  readonly isUnfolded: boolean;
  readonly onFold: () => void;
}

function GroupPlace({ group: { path, problems }, isUnfolded, onFold }: GroupPlaceProps) {
  const s = useSchemaTexts();
  return (
    <button type="button" className="problem-fold" aria-expanded={isUnfolded} onClick={onFold}>
      <ChevronRight aria-hidden="true" />
      <bdi>{textOf(path.map((step) => step ?? s.words.each)) || s.whole}</bdi>{' '}
      <span className="hint">{s.entries(problems.length)}</span>
    </button>
  );
}

interface PlaceProps {
  readonly schemaKey: SchemaKey;
  readonly problem: Problem;
  /** Whether it stands below its rule. */
  readonly isEntry: boolean;
}

function Place({ schemaKey: { slug, env }, problem, isEntry }: PlaceProps) {
  const s = useSchemaTexts();
  const { finding, path } = problem;
  const { flag } = finding;
  const text = textOf(path) || s.whole;
  return (
    <bdi className={isEntry ? 'problem-entry' : undefined}>
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
