/** The three environments side by side: what differs, and the way to carry it over. */
import { commentCharactersMax, type Environment, environments } from '@holdfast/contract';
import { diff } from '@holdfast/json';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight, GitCompareArrows } from 'lucide-react';
import { useMemo, useState } from 'react';
import { forgetState, stateQuery } from '../api/queries.ts';
import { emptyDocument, VersionConflict, writeState } from '../api/state.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useAccountId } from '../shell/session.tsx';
import { Diff, DiffModeChoice, useDiffMode } from '../state/diff.tsx';
import { type Part, partsOf, patched } from '../state/parts.ts';
import { undoOf } from '../state/undo.ts';
import { useTexts } from '../texts/index.ts';
import { Button, EmptyState, Field, Notice, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { useTitle } from '../ui/title.ts';
import { toast } from '../ui/toasts.tsx';
import { Overview, type States } from './promote-overview.tsx';

export function PromotePage() {
  const t = useTexts();
  const accountId = useAccountId();
  const { slug } = useParams({ from: '/shell/p/$slug/environments' });
  const { from = 'development', to = from === 'staging' ? 'production' : 'staging' } = useSearch({
    from: '/shell/p/$slug/environments',
  });
  const navigate = useNavigate();
  useTitle(`${t.promote.title} · ${slug}`);
  const results = useQueries({ queries: environments.map((env) => stateQuery({ accountId, slug, env })) });
  const error = results.find((result) => result.error)?.error;
  const retry = () => void Promise.all(results.map((result) => result.refetch()));
  const choose = (next: { from: Environment; to: Environment }) =>
    void navigate({ to: '/p/$slug/environments', params: { slug }, search: next });
  if (isMissing(error)) return <NotFound />;
  const isLoaded = results.every(({ data }) => data !== undefined);
  const states = Object.fromEntries(environments.map((env, index) => [env, results[index]?.data ?? null])) as States;
  return (
    <div className="page wide">
      <PageHeader title={t.promote.title} lead={t.promote.lead} />
      <Fault error={error} onRetry={retry} />
      {!isLoaded && !error && <Skeleton rows={8} />}
      {isLoaded && (
        <>
          <Overview slug={slug} states={states} from={from} to={to} onChoose={choose} />
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
          <Promotion key={`${from} ${to}`} slug={slug} from={from} to={to} states={states} />
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
        <select {...attributes} value={props.value} onChange={(event) => props.onChange(event.target.value as Environment)}>
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
  readonly slug: string;
  readonly from: Environment;
  readonly to: Environment;
  readonly states: States;
}

function Promotion({ slug, from, to, states }: PromotionProps) {
  const t = useTexts();
  const accountId = useAccountId();
  const queries = useQueryClient();
  const [mode, setMode] = useDiffMode();
  const source = states[from];
  const target = states[to];
  const targetState = target?.state ?? emptyDocument;
  const parts = useMemo(
    () => (source === null ? [] : partsOf(targetState, diff(targetState, source.state))),
    [source, targetState],
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [typed, setComment] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isMoved, setMoved] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const chosen = parts.filter(({ path }) => !left.has(path));
  const after = useMemo(
    () =>
      patched(
        targetState,
        parts.filter(({ path }) => !left.has(path)).flatMap(({ operations }) => operations),
      ),
    [targetState, parts, left],
  );
  if (source === null) {
    return (
      <EmptyState icon={<GitCompareArrows />} title={t.promote.emptySource(t.environments[from])}>
        {t.promote.lead}
      </EmptyState>
    );
  }
  if (parts.length === 0 && target !== null) return <Notice kind="good">{t.promote.same}</Notice>;
  const comment = typed ?? t.promote.comment(t.environments[from], source.version);
  const promote = async () => {
    if (isBusy || (chosen.length === 0 && target !== null)) return;
    setBusy(true);
    setFault(undefined);
    setMoved(false);
    try {
      const key = { accountId, slug, env: to };
      const record = await writeState(key, { base: target, next: after, comment });
      queries.setQueryData(stateQuery(key).queryKey, record);
      toast(t.promote.done(t.environments[to], record.version), { action: undoOf(key, target, record) });
      await forgetState(key);
    } catch (error) {
      if (error instanceof VersionConflict) {
        setMoved(true);
        await queries.invalidateQueries({ queryKey: ['state', accountId, slug, to] });
      } else setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="promotion">
      {isMoved && <Notice kind="warn">{t.promote.moved(t.environments[to])}</Notice>}
      <div className="promotion-side">
        <Parts parts={parts} left={left} onChange={setLeft} />
        <form
          className="card"
          onSubmit={(event) => {
            event.preventDefault();
            void promote();
          }}
        >
          <Field label={t.state.comment}>
            {(attributes) => (
              <input
                {...attributes}
                value={comment}
                maxLength={commentCharactersMax}
                onChange={(event) => setComment(event.target.value)}
              />
            )}
          </Field>
          <Fault error={fault} />
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={chosen.length === 0 && target !== null}>
            {t.promote.promote(t.environments[to])}
          </Button>
          {to === 'production' && <p className="hint">{t.promote.confirmProduction}</p>}
        </form>
      </div>
      <section className="promotion-diff" aria-label={t.promote.preview(t.environments[to])}>
        <div className="diff-bar">
          <h2>{t.promote.preview(t.environments[to])}</h2>
          <DiffModeChoice mode={mode} onChange={setMode} />
        </div>
        <Diff
          from={targetState}
          to={after}
          fromLabel={`${t.promote.now} · ${target === null ? t.promote.empty : t.common.version(target.version)}`}
          toLabel={t.promote.after}
          mode={mode}
        />
      </section>
    </div>
  );
}

interface PartsProps {
  readonly parts: readonly Part[];
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

const partsShownMax = 500;

function Parts({ parts, left, onChange }: PartsProps) {
  const t = useTexts();
  const toggle = (path: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(path);
    else next.add(path);
    onChange(next);
  };
  const all = parts.length;
  return (
    <fieldset className="card parts">
      <legend className="hidden-text">{t.promote.parts}</legend>
      <label className="part part-all">
        <input
          type="checkbox"
          checked={left.size === 0}
          ref={(box) => {
            if (box) box.indeterminate = left.size > 0 && left.size < all;
          }}
          onChange={(event) => onChange(event.target.checked ? new Set() : new Set(parts.map(({ path }) => path)))}
        />
        <b>{t.promote.parts}</b>
        <small>{t.promote.selected(all - left.size, all)}</small>
      </label>
      <div className="parts-list">
        {parts.slice(0, partsShownMax).map(({ path, kind }) => (
          <label key={path} className="part">
            <input type="checkbox" checked={!left.has(path)} onChange={(event) => toggle(path, event.target.checked)} />
            <bdi className="part-path" title={path}>
              {path === '' ? '{ }' : path.slice(1).replaceAll('/', ' › ').replaceAll('~1', '/').replaceAll('~0', '~')}
            </bdi>
            <span className={`badge ${{ add: 'good', remove: 'bad', replace: 'warn' }[kind]}`}>{t.promote[kind]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
