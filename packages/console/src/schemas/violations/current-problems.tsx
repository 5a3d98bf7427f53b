/** The problems of the current configuration, as its editor counts them. Each links to its place there. */
import { type JsonObject, pathOfPointer } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { stateQuery } from '../../api/queries.ts';
import type { SchemaKey, SchemaRecord } from '../../api/schemas.ts';
import type { StateRecord } from '../../api/state.ts';
import { type PathNames, usePathNames } from '../../fields/document-hints.tsx';
import { hintsOf } from '../../fields/hints.ts';
import { areCut, findingsIn } from '../../problems/document-check.ts';
import { textsOf } from '../../texts/index.ts';
import { Notice } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { plain } from '../../ui/plain-text.ts';
import { Below, type Column, Table } from '../../ui/table.tsx';
import { capitalised } from '../rules/rules-in-words.ts';
import { groupedProblems, type Problem, type ProblemGroup } from './problem-groups.ts';
import { valuesText } from './values-text.tsx';
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
            <Problems
              schemaKey={schemaKey}
              record={record}
              document={stored.state}
              groups={groupedProblems(stored.state, findings)}
            />
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
  readonly record: SchemaRecord;
  readonly document: JsonObject;
  readonly groups: readonly ProblemGroup[];
}

/** Entries that break the same rule are folded, unless nothing else is broken. */
function Problems({ schemaKey, record: { schema }, document, groups }: ProblemsProps) {
  const s = useSchemaTexts();
  const c = useChangeTexts();
  const hints = useMemo(() => hintsOf(schema), [schema]);
  const namesOf = usePathNames(document, document, hints);
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
  const valueIn = (row: Row) =>
    valuesText(c, s, row.kind === 'group' ? row.group.problems.map(({ value }) => value) : [row.problem.value]);
  const values: readonly Column<Row>[] = groups.every(({ problems }) =>
    problems.every(({ value }) => valuesText(c, s, [value]) === null),
  )
    ? []
    : [{ name: s.value, kind: 'number', cell: valueIn }];
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
              <GroupPlace {...row} namesOf={namesOf} isUnfolded={unfolded.has(row.key)} onFold={() => fold(row.key)} />
            ) : (
              <Place schemaKey={schemaKey} namesOf={namesOf} {...row} />
            ),
        },
        { name: s.problem, isPlain: true, cell: (row) => messageIn(row) },
        ...values,
      ]}
    />
  );
}

const keyOf = ({ path, message }: ProblemGroup): string => JSON.stringify([path, message]);

/** The problem; null for an entry, for which its group says it. */
function messageIn(row: Row): string | null {
  if (row.kind === 'group') return capitalised(plain(row.group.message));
  return row.isEntry ? null : capitalised(plain(row.problem.finding.message));
}

const textOf = (path: readonly string[]): string => path.map(plain).join(' › ');

interface GroupPlaceProps {
  readonly group: ProblemGroup;
  readonly namesOf: PathNames;
  readonly isUnfolded: boolean;
  readonly onFold: () => void;
}

/** The arrow at the end of the row says that it unfolds. */
function GroupPlace({ group: { path, problems }, namesOf, isUnfolded, onFold }: GroupPlaceProps) {
  const s = useSchemaTexts();
  const names = namesOf(pathOfPointer(problems[0]?.finding.path ?? ''));
  const each = (part: string | null, index: number) => (path[index] === null ? s.words.each : (part ?? ''));
  return (
    <button type="button" className="problem-fold" aria-expanded={isUnfolded} onClick={onFold}>
      <bdi title={textOf(path.map(each))}>{textOf(names.map(each)) || s.whole}</bdi>{' '}
      <Below>{s.entries(problems.length)}</Below>
    </button>
  );
}

interface PlaceProps {
  readonly schemaKey: SchemaKey;
  readonly namesOf: PathNames;
  readonly problem: Problem;
  /** Whether it stands below its rule. */
  readonly isEntry: boolean;
}

function Place({ schemaKey: { slug, env }, namesOf, problem, isEntry }: PlaceProps) {
  const s = useSchemaTexts();
  const { finding, path } = problem;
  const { flag } = finding;
  const text = textOf(namesOf(pathOfPointer(finding.path))) || s.whole;
  return (
    <bdi className={isEntry ? 'problem-entry' : undefined} title={textOf(path)}>
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
