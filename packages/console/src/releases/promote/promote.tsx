/** The three environments side by side: their differences, and promoting them. */
import { type Environment, environments } from '@holdfast/contract';
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight, GitCompareArrows } from 'lucide-react';
import { useMemo, useState } from 'react';
import { byEnvironment, environmentOf } from '../../api/environments.ts';
import { comingQuery } from '../../api/proposals.ts';
import { historyQuery, stateQuery } from '../../api/queries.ts';
import { emptyDocument, type StateKey, type StateRecord } from '../../api/state.ts';
import { Diff } from '../../diff/diff.tsx';
import { ChangeChoice } from '../../diff/promote-choice.tsx';
import { choosing, chosenOf, selectionFor } from '../../diff/promote-selection.ts';
import { WithDocumentHints } from '../../fields/document-hints.tsx';
import { useComparedDocument } from '../../history/compared-document.ts';
import { DocumentPicker, type Picked } from '../../history/document-picker.tsx';
import { compare } from '../../json-text/changes.ts';
import { isMissing, NotFound } from '../../page/not-found.tsx';
import { useProject } from '../../page/route-params.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { Button, EmptyState, Field, Notice, Skeleton } from '../../ui/controls.tsx';
import { Fault } from '../../ui/fault.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Promote } from './promote-form.tsx';
import { Overview } from './promote-overview.tsx';
import type { PromoteSearch } from './promote-search.ts';
import './promote.css';

const [usePromoteTexts] = textsOf('promote');

export function PromotePage() {
  const t = useTexts();
  const p = usePromoteTexts();
  const project = useProject();
  const { slug } = project;
  const search = useSearch({ from: '/shell/p/$slug/environments' });
  const from: Environment = search.from ?? 'development';
  const to: Environment = search.to ?? (from === 'staging' ? 'production' : 'staging');
  const picked = pickedIn(search, from);
  const source = useComparedDocument({ ...project, env: from }, picked);
  const navigate = useNavigate();
  // The third document is for its cards alone: nothing waits for it.
  const isShown = (env: Environment) => env === from || env === to;
  const results = useQueries({ queries: environments.map((env) => stateQuery({ ...project, env })) });
  const error = results.find((result) => result.error)?.error ?? source.error;
  const retry = () => void Promise.all([...results, source].map((result) => result.refetch()));
  const choose = (next: PromoteSearch) => void navigate({ to: '/p/$slug/environments', params: { slug }, search: next });
  if (isMissing(error)) return <NotFound />;
  const states = byEnvironment((env) => results[environments.indexOf(env)]?.data);
  const isLoaded = environments.every((env) => !isShown(env) || states[env] !== undefined);
  return (
    <div className="page">
      <PageHeader title={t.nav.compare} lead={p.lead} />
      <Fault error={error} onRetry={retry} />
      {!isLoaded && !error && <Skeleton rows={8} />}
      {isLoaded && (
        <>
          <Overview states={states} from={from} to={to} onChoose={choose} />
          <div className="promote-bar">
            <SourceChoice
              stateKey={{ ...project, env: from }}
              picked={picked}
              onPick={(next) =>
                'env' in next ? choose({ from: next.env, to: next.env === to ? from : to }) : choose({ from, to, ...next })
              }
            />
            <Button
              kind="quiet"
              icon={<ArrowLeftRight />}
              aria-label={p.swap}
              onClick={() => choose({ from: to, to: from })}
            />
            <EnvironmentChoice
              label={p.to}
              value={to}
              onChange={(next) => choose({ to: next, from: next === from ? to : from })}
            />
          </div>
          {source.data === undefined ? (
            <Skeleton rows={8} />
          ) : (
            <WithDocumentHints schemaKey={{ ...project, env: to, kind: 'public-state' }}>
              <Promotion
                key={`${from} ${to} ${JSON.stringify(picked)}`}
                from={from}
                to={to}
                source={'env' in picked ? (states[from] ?? null) : source.data}
                proposal={'proposal' in picked ? source.name : undefined}
                target={states[to] ?? null}
              />
            </WithDocumentHints>
          )}
        </>
      )}
    </div>
  );
}

function pickedIn({ version, proposal }: PromoteSearch, env: Environment): Picked {
  if (version !== undefined) return { version };
  return proposal === undefined ? { env } : { proposal };
}

interface SourceChoiceProps {
  readonly stateKey: StateKey;
  readonly picked: Picked;
  readonly onPick: (picked: Picked) => void;
}

/** Chooses the document to promote: of an environment, one of its versions, or one of its proposals. */
function SourceChoice({ stateKey, picked, onPick }: SourceChoiceProps) {
  const p = usePromoteTexts();
  const { data: history } = useInfiniteQuery(historyQuery(stateKey));
  const { data: coming } = useQuery({ ...comingQuery(stateKey), refetchInterval: false });
  return (
    <Field label={p.from}>
      {({ id }) => (
        <DocumentPicker
          id={id}
          value={picked}
          versions={history?.pages.flatMap(({ items }) => items) ?? []}
          versionsOf={stateKey.env}
          environments={environments}
          proposals={coming?.open ?? []}
          onPick={onPick}
        />
      )}
    </Field>
  );
}

function EnvironmentChoice(props: { label: string; value: Environment; onChange: (env: Environment) => void }) {
  const t = useTexts();
  return (
    <Field label={props.label}>
      {(attributes) => (
        <select {...attributes} value={props.value} onChange={(event) => props.onChange(environmentOf(event.target.value))}>
          {environments.map((env) => (
            <option key={env} value={env}>
              {t.environments[env]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface PromotionProps {
  readonly from: Environment;
  readonly to: Environment;
  /** The document to promote; null if there is none. */
  readonly source: StateRecord | null;
  /** The name of the proposal that it comes from. */
  readonly proposal: string | undefined;
  readonly target: StateRecord | null;
}

function Promotion({ from, to, source, proposal, target }: PromotionProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const targetState = target?.state ?? emptyDocument;
  const comparison = useMemo(() => compare(targetState, source?.state ?? targetState), [source, targetState]);
  const { changes } = comparison;
  const ids = useMemo(() => changes.map(({ id }) => id), [changes]);
  const [selection, setSelection] = useState(() => selectionFor(to));
  const chosen = useMemo(() => chosenOf(selection, ids), [selection, ids]);
  const after = useMemo(() => comparison.build((id) => chosen.has(id)), [comparison, chosen]);
  const [isMoved, setMoved] = useState(false);
  if (source === null) {
    return (
      <EmptyState icon={<GitCompareArrows />} title={p.emptySource(t.environments[from])}>
        {p.lead}
      </EmptyState>
    );
  }
  if (changes.length === 0 && target !== null) return <Notice kind="good">{p.same}</Notice>;
  // Before any is chosen, all are there to read.
  const isNothingChosen = changes.length > 0 && chosen.size === 0;
  const targetName = p.now(t.environments[to]);
  const heading = isNothingChosen ? p.differences(t.environments[to]) : p.preview(t.environments[to]);
  return (
    <Promote
      to={to}
      target={target}
      targetName={targetName}
      after={after}
      chosen={changes.filter(({ id }) => chosen.has(id))}
      all={changes.length}
      firstComment={proposal ?? p.comment(t.environments[from], source.version)}
      onMoved={setMoved}
    >
      {(comment) => (
        <div className="promotion">
          {isMoved && <Notice kind="warn">{p.moved(t.environments[to])}</Notice>}
          <div className="promotion-side">
            <ChangeChoice
              label={p.parts}
              direction={[targetName, p.after]}
              changes={changes}
              from={targetState}
              to={source.state}
              chosen={chosen}
              onChange={(next) => setSelection(choosing(selection, ids, next))}
            />
            {comment}
          </div>
          <section className="promotion-diff" aria-label={heading}>
            <Diff
              from={targetState}
              to={isNothingChosen ? source.state : after}
              fromLabel={targetName}
              toLabel={p.after}
              changes={[]}
            />
          </section>
        </div>
      )}
    </Promote>
  );
}
