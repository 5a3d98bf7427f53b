/** The schemas of an environment, and what they do. */
import { type SchemaKind, schemaKinds } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { schemaQuery } from '../api/schemas.ts';
import type { StateKey } from '../api/state.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Skeleton } from '../ui/controls.tsx';

const [useOverviewTexts] = textsOf('overview');

export function Rules({ stateKey }: { stateKey: StateKey }) {
  const t = useTexts();
  const ot = useOverviewTexts();
  return (
    <section className="card overview-rules">
      <div className="card-bar">
        <h2>{ot.rules(t.environments[stateKey.env])}</h2>
      </div>
      <ul className="overview-list">
        {schemaKinds.map((kind) => (
          <RuleLine key={kind} stateKey={stateKey} kind={kind} />
        ))}
      </ul>
    </section>
  );
}

function RuleLine({ stateKey, kind }: { stateKey: StateKey; kind: SchemaKind }) {
  const ot = useOverviewTexts();
  const { slug, env } = stateKey;
  const { data: schema } = useQuery(schemaQuery({ ...stateKey, kind }));
  const isCounted = schema != null && schema.mode !== 'off';
  const search = { kind, ...(isCounted && { view: 'report' as const }) };
  return (
    <li>
      <Link to="/p/$slug/$env/schemas" params={{ slug, env }} search={search}>
        {ot.rulesOf[kind]}
      </Link>
      {schema === undefined ? (
        <Skeleton rows={1} />
      ) : (
        <small className="hint">{schema === null ? ot.noSchema : ot.modes[schema.mode]}</small>
      )}
    </li>
  );
}
