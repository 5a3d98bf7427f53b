/** The three environments side by side: their differences, and promoting them. */
import { type Environment, environments } from '@holdfast/contract';
import { useQueries } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight, GitCompareArrows } from 'lucide-react';
import { useMemo, useState } from 'react';
import { byEnvironment, environmentOf } from '../api/environments.ts';
import { stateQuery } from '../api/queries.ts';
import { emptyDocument } from '../api/state.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useProject } from '../shell/route-params.ts';
import { compare } from '../state/changes.ts';
import { Diff, DiffModeChoice, useDiffMode } from '../state/diff.tsx';
import { useTexts } from '../texts/index.ts';
import { Button, EmptyState, Field, Notice, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { ChangeChoice } from './promote-choice.tsx';
import { Promote } from './promote-form.tsx';
import { Overview, type States } from './promote-overview.tsx';

export function PromotePage() {
  const t = useTexts();
  const project = useProject();
  const { slug } = project;
  const { from = 'development', to = from === 'staging' ? 'production' : 'staging' } = useSearch({
    from: '/shell/p/$slug/environments',
  });
  const navigate = useNavigate();
  // Only the two documents of the pair, since the third is not shown.
  const isShown = (env: Environment) => env === from || env === to;
  const results = useQueries({
    queries: environments.map((env) => ({ ...stateQuery({ ...project, env }), enabled: isShown(env) })),
  });
  const error = results.find((result) => result.error)?.error;
  const retry = () => void Promise.all(results.map((result) => result.refetch()));
  const choose = (next: { from: Environment; to: Environment }) =>
    void navigate({ to: '/p/$slug/environments', params: { slug }, search: next });
  if (isMissing(error)) return <NotFound />;
  const states = byEnvironment((env) => results[environments.indexOf(env)]?.data);
  const isLoaded = environments.every((env) => !isShown(env) || states[env] !== undefined);
  return (
    <div className="page wide">
      <PageHeader title={t.promote.title} lead={t.promote.lead} />
      <Fault error={error} onRetry={retry} />
      {!isLoaded && !error && <Skeleton rows={8} />}
      {isLoaded && (
        <>
          <Overview states={states} from={from} to={to} onChoose={choose} />
          <div className="promote-bar">
            <EnvironmentChoice
              label={t.promote.from}
              value={from}
              onChange={(next) => choose({ from: next, to: next === to ? from : to })}
            />
            <Button
              kind="quiet"
              icon={<ArrowLeftRight />}
              aria-label={t.promote.swap}
              onClick={() => choose({ from: to, to: from })}
            />
            <EnvironmentChoice
              label={t.promote.to}
              value={to}
              onChange={(next) => choose({ to: next, from: next === from ? to : from })}
            />
          </div>
          <Promotion key={`${from} ${to}`} from={from} to={to} states={states} />
        </>
      )}
    </div>
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
  readonly states: States;
}

function Promotion({ from, to, states }: PromotionProps) {
  const t = useTexts();
  const [mode, setMode] = useDiffMode();
  const source = states[from] ?? null;
  const target = states[to] ?? null;
  const targetState = target?.state ?? emptyDocument;
  const comparison = useMemo(() => compare(targetState, source?.state ?? targetState), [source, targetState]);
  const { changes } = comparison;
  // What players get is chosen one by one, or with one press for all.
  const isChosenAtFirst = to !== 'production';
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const left = useMemo(
    () => new Set(changes.map(({ id }) => id).filter((id) => touched.has(id) === isChosenAtFirst)),
    [changes, touched, isChosenAtFirst],
  );
  const leave = (next: ReadonlySet<string>) =>
    setTouched(new Set(changes.map(({ id }) => id).filter((id) => next.has(id) === isChosenAtFirst)));
  const after = useMemo(() => comparison.build((id) => !left.has(id)), [comparison, left]);
  const [isMoved, setMoved] = useState(false);
  if (source === null) {
    return (
      <EmptyState icon={<GitCompareArrows />} title={t.promote.emptySource(t.environments[from])}>
        {t.promote.lead}
      </EmptyState>
    );
  }
  if (changes.length === 0 && target !== null) return <Notice kind="good">{t.promote.same}</Notice>;
  // Before any is chosen, all are there to read.
  const isNothingChosen = changes.length > 0 && left.size === changes.length;
  const heading = isNothingChosen ? t.promote.differences(t.environments[to]) : t.promote.preview(t.environments[to]);
  return (
    <Promote
      to={to}
      target={target}
      after={after}
      chosen={changes.filter(({ id }) => !left.has(id))}
      all={changes.length}
      firstComment={t.promote.comment(t.environments[from], source.version)}
      onMoved={setMoved}
    >
      {(comment) => (
        <div className="promotion">
          {isMoved && <Notice kind="warn">{t.promote.moved(t.environments[to])}</Notice>}
          <div className="promotion-side">
            <ChangeChoice label={t.promote.parts} changes={changes} left={left} onChange={leave} />
            {comment}
          </div>
          <section className="promotion-diff" aria-label={heading}>
            <div className="diff-bar">
              <h2>{heading}</h2>
              <DiffModeChoice mode={mode} onChange={setMode} />
            </div>
            <Diff
              from={targetState}
              to={isNothingChosen ? source.state : after}
              fromLabel={`${isNothingChosen ? t.environments[to] : t.promote.now} · ${target === null ? t.promote.empty : t.common.version(target.version)}`}
              toLabel={isNothingChosen ? `${t.environments[from]} · ${t.common.version(source.version)}` : t.promote.after}
              mode={mode}
              changes={[]}
            />
          </section>
        </div>
      )}
    </Promote>
  );
}
