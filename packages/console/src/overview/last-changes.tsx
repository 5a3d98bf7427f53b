/** The newest versions of an environment's document. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../api/http.ts';
import { keyOf } from '../api/query-key.ts';
import type { StateKey } from '../api/state.ts';
import { useSubject } from '../shell/session.tsx';
import { authorName } from '../state/authors.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Plain } from '../ui/plain.tsx';
import { Ago } from '../ui/table.tsx';

const [useOverviewTexts] = textsOf('overview');

const shownMax = 6;

export function LastChanges({ stateKey }: { stateKey: StateKey }) {
  const t = useTexts();
  const ot = useOverviewTexts();
  const subject = useSubject();
  const { slug, env } = stateKey;
  const newest = useQuery({
    queryKey: keyOf('listPublicStateHistory', stateKey, 'newest'),
    queryFn: async ({ signal }) =>
      (await call('listPublicStateHistory', { params: stateKey, query: { limit: shownMax }, signal })).items,
  });
  return (
    <section className="card">
      <div className="card-bar">
        <h2>{ot.changes(t.environments[env])}</h2>
        <Link to="/p/$slug/$env/history" params={{ slug, env }}>
          {ot.allChanges}
        </Link>
      </div>
      <Loaded query={newest} rows={4}>
        {(items) => (
          <ul className="overview-list">
            {items.map((item) => (
              <li key={item.version}>
                <Link to="/p/$slug/$env/history" params={{ slug, env }} search={{ version: item.version }}>
                  <Plain>{item.comment ?? t.common.version(item.version)}</Plain>
                </Link>
                <small className="hint">
                  <Plain>{authorName(t, item.author, subject)}</Plain> · <Ago time={item.createdAt} />
                  {item.comment !== null && ` · ${t.common.version(item.version)}`}
                </small>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
