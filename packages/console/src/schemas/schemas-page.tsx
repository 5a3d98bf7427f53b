/** The schemas of an environment, for public state and user states: editing, checking, violations and history. */
import type { SchemaKind } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { openingKindQuery, schemaQuery } from '../api/schemas.ts';
import { isMissing, NotFound } from '../page/not-found.tsx';
import { useStateKey } from '../page/route-params.ts';
import { textsOf } from '../texts/index.ts';
import { Loaded } from '../ui/loaded.tsx';
import { EditView } from './editing/edit-view.tsx';
import { NoRules } from './editing/no-rules.tsx';
import { SchemaHeader } from './editing/schema-header.tsx';
import { SchemaHistory } from './history-view.tsx';
import { SchemaActions } from './saving/schema-actions.tsx';
import { CheckView } from './trial/check-view.tsx';
import { type SchemaSearch, type SchemaView, schemaViews } from './views.ts';
import { ReportView } from './violations/report-view.tsx';
import './schemas-page.css';
import '../history/history.css';

const [useSchemaTexts] = textsOf('schemas');

export function SchemasPage() {
  const { kind } = useSearch({ from: '/shell/p/$slug/$env/schemas' });
  const opening = useQuery({ ...openingKindQuery(useStateKey()), enabled: kind === undefined });
  if (kind !== undefined) return <Opened kind={kind} />;
  if (isMissing(opening.error)) return <NotFound />;
  return (
    <Loaded query={opening} rows={10}>
      {(found) => <Opened kind={found} />}
    </Loaded>
  );
}

function Opened({ kind }: { kind: SchemaKind }) {
  const stateKey = useStateKey();
  const { slug, env } = stateKey;
  const { kind: named, view = 'rules', at, version, from } = useSearch({ from: '/shell/p/$slug/$env/schemas' });
  const navigate = useNavigate();
  /** Where somebody began the first rules, in words or as JSON. */
  const [start, setStart] = useState<{ readonly place: string; readonly view: 'rules' | 'edit' }>();
  const key = useMemo(() => ({ ...stateKey, kind }), [stateKey, kind]);
  const schema = useQuery(schemaQuery(key));
  const show = (search: SchemaSearch) =>
    void navigate({ to: '/p/$slug/$env/schemas', params: { slug, env }, search: { ...(named && { kind }), ...search } });
  if (isMissing(schema.error)) return <NotFound />;
  const bar = <Bar kind={kind} isNamed={named !== undefined} view={view} />;
  const place = `${slug}/${env}/${kind}`;
  const showRules = (next: 'rules' | 'edit' = 'rules', to?: string) =>
    show({ ...(next === 'edit' && { view: next }), ...(to !== undefined && { at: to }) });
  const begin = (next: 'rules' | 'edit' | undefined) => {
    setStart(next && { place, view: next });
    if (next !== undefined) showRules(next);
  };
  if (view === 'edit' || view === 'rules') {
    const shown = { view, at, bar, onShow: showRules };
    const begun = start?.place === place ? start.view : undefined;
    return <EditView key={place} schemaKey={key} {...shown} begun={begun} onBegin={begin} />;
  }
  const isOfRules = view !== 'history';
  return (
    <div className={view === 'history' ? 'page wide history-page' : 'page wide'}>
      <SchemaHeader schemaKey={key}>{schema.data && <SchemaActions schemaKey={key} record={schema.data} />}</SchemaHeader>
      {bar}
      {isOfRules && schema.data === null && <NoRules kind={kind} onStart={begin} />}
      {isOfRules ? (
        <Loaded query={schema} rows={8}>
          {(record) => {
            const Shown = view === 'check' ? CheckView : ReportView;
            return <Shown key={place} schemaKey={key} record={record} />;
          }}
        </Loaded>
      ) : (
        <SchemaHistory
          key={place}
          schemaKey={key}
          version={version}
          from={from}
          onChoose={(next) => show({ view: 'history', ...next })}
        />
      )}
    </div>
  );
}

interface BarProps {
  readonly kind: SchemaKind;
  /** Whether the address names the kind. */
  readonly isNamed: boolean;
  readonly view: SchemaView;
}

function Bar({ kind, isNamed, view }: BarProps) {
  const s = useSchemaTexts();
  return (
    <div className="view-bar">
      <nav className="tabs" aria-label={s.view}>
        {schemaViews.map((one) => (
          <Link
            key={one}
            to="."
            search={{ ...(isNamed && { kind }), ...(one !== 'rules' && { view: one }) }}
            activeOptions={{ exact: one === 'rules' }}
            data-chosen={one === view || undefined}
          >
            {s.views[one]}
          </Link>
        ))}
      </nav>
    </div>
  );
}
