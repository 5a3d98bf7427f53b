/** The newest versions of an environment's document. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call } from '../api/http.ts';
import { keyOf } from '../api/query-key.ts';
import { versionReader } from '../api/recent-versions.ts';
import { useSubject } from '../api/signed-in.ts';
import type { StateKey } from '../api/state.ts';
import { WithDocumentHints } from '../fields/document-hints.tsx';
import type { VersionSource } from '../history/path-search.ts';
import { VersionSummary } from '../history/version-summary.tsx';
import { textsOf, useTexts } from '../texts/index.ts';
import { authorName } from '../ui/authors.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Plain } from '../ui/plain.tsx';
import { Ago } from '../ui/table.tsx';

const [useOverviewTexts] = textsOf('overview');

const shownMax = 4;

export function LastChanges({ stateKey }: { stateKey: StateKey }) {
  const t = useTexts();
  const ot = useOverviewTexts();
  const subject = useSubject();
  const { slug, env } = stateKey;
  const newest = useQuery({
    queryKey: keyOf('listPublicStateHistory', stateKey, 'newest'),
    queryFn: async ({ signal }) =>
      (await call('listPublicStateHistory', { params: stateKey, query: { limit: shownMax + 1 }, signal })).items,
  });
  const current = newest.data?.[0]?.version ?? 0;
  const source = useMemo(
    (): VersionSource => ({
      key: keyOf('listPublicStateHistory', stateKey),
      read: versionReader(stateKey, current, shownMax),
      cheapCount: shownMax,
    }),
    [stateKey, current],
  );
  return (
    <section className="card overview-changes">
      <div className="card-bar">
        <h2>{ot.changes(t.environments[env])}</h2>
        <Link to="/p/$slug/$env/history" params={{ slug, env }}>
          {ot.allChanges}
        </Link>
      </div>
      <Loaded query={newest} rows={4}>
        {(items) => (
          <WithDocumentHints schemaKey={{ ...stateKey, kind: 'public-state' }}>
            <ul className="overview-list">
              {items.slice(0, shownMax).map(({ version, comment, author, createdAt, stateSizeBytes }, index) => (
                <li key={version}>
                  <Link to="/p/$slug/$env/history" params={{ slug, env }} search={{ version }}>
                    {comment === null ? (
                      <span className="overview-summary">
                        <VersionSummary
                          source={source}
                          version={version}
                          before={version === 1 ? 0 : items[index + 1]?.version}
                          sizeBytes={stateSizeBytes}
                          isWanted
                          fallback={<span className="hint">{t.common.noComment}</span>}
                        />
                      </span>
                    ) : (
                      <Plain>{comment}</Plain>
                    )}
                  </Link>
                  <small className="hint">
                    {t.common.version(version)} · <Plain>{authorName(t, author, subject)}</Plain> · <Ago time={createdAt} />
                  </small>
                </li>
              ))}
            </ul>
          </WithDocumentHints>
        )}
      </Loaded>
    </section>
  );
}
