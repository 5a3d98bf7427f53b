/** The versions of a schema: author, time, comment, changes, and restoring. */
import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { useMemo } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { queryClient } from '../api/queries.ts';
import {
  forgetSchema,
  type SchemaKey,
  type SchemaRecord,
  schemaHistoryQuery,
  schemaQuery,
  schemaVersionBeforeQuery,
  schemaVersionQuery,
} from '../api/schemas.ts';
import type { StateRecord } from '../api/state.ts';
import { VersionBrowser } from '../history/version-browser.tsx';
import { useVersionList } from '../history/version-list.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { EmptyState, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { RulesChanged } from './rules/rules-changed.tsx';
import { documentOf, SaveSchema } from './saving/save-schema.tsx';

const [useSchemaTexts] = textsOf('schemas');

interface SchemaHistoryProps {
  readonly schemaKey: SchemaKey;
  readonly version: number | undefined;
  readonly from: number | undefined;
  readonly onChoose: (next: { version?: number; from?: number }) => void;
}

export function SchemaHistory({ schemaKey, onChoose, ...chosen }: SchemaHistoryProps) {
  const own = useAuthority();
  const history = useInfiniteQuery(schemaHistoryQuery(schemaKey));
  const items = useMemo(
    () =>
      history.data?.pages.flatMap((page) =>
        page.items.map((item) => ({ ...item, stateSizeBytes: item.schemaSizeBytes })),
      ) ?? [],
    [history.data],
  );
  const source = useMemo(
    () => ({
      read: async (one: number) => asDocument(await queryClient.fetchQuery(schemaVersionQuery(schemaKey, one))),
      cheapCount: 0,
    }),
    [schemaKey],
  );
  const list = useVersionList({ items, hasMore: history.hasNextPage, source, chosen: chosen.version });
  const version = list.shown ?? 0;
  const chosenFrom = version === chosen.version ? chosen.from : undefined;
  const listedFrom = items.find((item) => item.version < version)?.version;
  // Until it is known, most likely the next lower number.
  const { data: older = version - 1 } = useQuery(
    schemaVersionBeforeQuery(schemaKey, listedFrom === undefined ? version : 0),
  );
  const from = chosenFrom ?? listedFrom ?? older;
  const to = useDocument(useQuery(schemaVersionQuery(schemaKey, version)));
  const before = useDocument(useQuery(schemaVersionQuery(schemaKey, from)));
  const restored = (onClose: () => void) => {
    onClose();
    onChoose({});
  };
  const restore = (_step: unknown, onClose: () => void) => (
    <RestoreSchema schemaKey={schemaKey} version={version} onClose={onClose} onRestored={() => restored(onClose)} />
  );
  if (history.isPending) return <Skeleton rows={10} />;
  if (items.length === 0) return <NoVersions history={history} />;
  return (
    <VersionBrowser
      list={list}
      history={history}
      to={to}
      before={before}
      from={from}
      isRestoreOnly
      summary={RulesChanged}
      restore={may(own, 'write_schemas', schemaKey.env) ? restore : undefined}
      onChoose={onChoose}
    />
  );
}

function NoVersions({ history }: { history: { readonly error: Error | null; readonly refetch: () => unknown } }) {
  const t = useTexts();
  if (history.error) return <Fault error={history.error} onRetry={() => void history.refetch()} />;
  return (
    <EmptyState icon={<Clock />} title={t.history.empty}>
      {t.history.emptyText}
    </EmptyState>
  );
}

type Read = UseQueryResult<SchemaRecord>;

/** A version and its mode as one document, so that the comparison shows both. */
const asDocument = ({ version, mode, schema, comment }: SchemaRecord): StateRecord => ({
  version,
  state: documentOf(mode, schema),
  comment,
  sizeBytes: 0,
});

function useDocument({ data, error, isPending, refetch }: Read) {
  const record = useMemo(() => data && asDocument(data), [data]);
  return { data: record, error, isPending, refetch };
}

interface RestoreSchemaProps {
  readonly schemaKey: SchemaKey;
  readonly version: number;
  readonly onClose: () => void;
  readonly onRestored: () => void;
}

function RestoreSchema({ schemaKey, version, onClose, onRestored }: RestoreSchemaProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const now = useQuery(schemaQuery(schemaKey));
  const { data: wanted } = useQuery(schemaVersionQuery(schemaKey, version));
  if (wanted?.version !== version || now.data === undefined) return null;
  return (
    <SaveSchema
      schemaKey={schemaKey}
      base={now.data}
      next={wanted.schema}
      mode={wanted.mode}
      title={s.restoreTitle(version)}
      action={t.history.restore(version)}
      comment={t.history.restoreComment(version)}
      done={(record) => s.saved(record.version)}
      onClose={onClose}
      onSaved={() => {
        void forgetSchema(schemaKey);
        onRestored();
      }}
    />
  );
}
