/** The list of versions: comment or changes, author and time. */
import type { JsonObject } from '@holdfast/json';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { formatNumber, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { useSeen } from '../ui/in-view.ts';
import { HistoryFilter } from './history-filter.tsx';
import type { VersionList } from './version-list.ts';
import { VersionRow } from './version-row.tsx';

interface TimelineProps {
  readonly list: VersionList;
  /** A version, for the names of fields; undefined if they have none. */
  readonly document: JsonObject | undefined;
  readonly isLoading: boolean;
  /** Stands below the chosen version; left out if it stands beside the list. */
  readonly detail: ReactNode | undefined;
  readonly onMore: () => void;
  readonly onSelect: (version: number) => void;
}

const pageRows = 8;

/** The list of versions with its filters. */
export function Timeline({ list, document, ...rest }: TimelineProps) {
  const t = useTexts();
  const { items, filter, setFilter, search, searchOlder } = list;
  return (
    <section className="versions" aria-label={t.history.list}>
      <HistoryFilter items={items} filter={filter} onChange={setFilter} search={search} document={document} />
      <Rows {...rest} list={list} />
      {searchOlder && (
        <div className="path-progress listed">
          <span className="hint">{t.history.listed(formatNumber(items.length))}</span>
          <Button size="small" onClick={searchOlder}>
            {t.history.older}
          </Button>
        </div>
      )}
    </section>
  );
}

/** All rows are there, since their heights differ; the browser draws those in view. */
function Rows({ list, isLoading, detail, onMore, onSelect }: Omit<TimelineProps, 'document'>) {
  const { items: all, found: items, shown: selected = 0, needsMore: hasMore, search } = list;
  const place = items.findIndex(({ version }) => version === selected);
  const isAhead = place === -1 && (all.at(-1)?.version ?? 0) > selected;
  useEffect(() => {
    if (hasMore && !isLoading && (search?.needsMore || isAhead)) onMore();
  }, [hasMore, isLoading, search?.needsMore, isAhead, onMore]);
  const rows = useRef<HTMLOListElement>(null);
  useShownRow(rows, place);
  const [folded, setFolded] = useState<number>();
  const indexOf = useMemo(() => new Map(all.map(({ version }, index) => [version, index])), [all]);
  const hits = useMemo(() => new Map(search?.found.map((hit) => [hit.version, hit])), [search?.found]);
  const select = (version: number) => {
    if (detail === undefined || version !== selected) onSelect(version);
    setFolded(version === selected && folded === undefined ? version : undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isRow = event.target instanceof Element && event.target.matches('.version');
    const to = isRow ? rowAfterKey(event.key, place, items.length) : undefined;
    const next = to === undefined ? undefined : items[to];
    if (to === undefined) return;
    event.preventDefault();
    if (next === undefined || to === place) return;
    rows.current?.querySelectorAll<HTMLElement>('.version')[to]?.focus();
    select(next.version);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows in it take the keys
    <div className="timeline" onKeyDown={onKeyDown}>
      <ol ref={rows}>
        {items.map((item, index) => {
          const at = indexOf.get(item.version) ?? 0;
          const isOpen = index === place && detail !== undefined && folded !== item.version;
          return (
            <VersionRow
              key={item.version}
              item={item}
              before={all[at + 1]}
              source={list.source}
              hit={hits.get(item.version)}
              isAmongNewest={at < list.source.cheapCount}
              isSelected={index === place}
              isOpen={detail === undefined ? undefined : isOpen}
              isCurrent={at === 0}
              isTabStop={index === Math.max(0, place)}
              onSelect={select}
            >
              {isOpen && detail}
            </VersionRow>
          );
        })}
      </ol>
      {hasMore && !isLoading && <More key={all.length} onMore={onMore} />}
      {items.length === 0 && <NothingListed list={list} />}
      {place === -1 && detail}
    </div>
  );
}

/** Shows the chosen row: at first at the upper edge, later wherever it is in view. */
function useShownRow(rows: RefObject<HTMLOListElement | null>, place: number): void {
  const isOpened = useRef(false);
  useEffect(() => {
    if (place === -1) return;
    const row = rows.current?.querySelectorAll('.version')[place];
    if (isOpened.current || place > 0) row?.scrollIntoView({ block: isOpened.current ? 'nearest' : 'start' });
    isOpened.current = true;
  }, [rows, place]);
}

/** The end of what is listed, where more is read. */
const More = ({ onMore }: { onMore: () => void }) => <div ref={useSeen(onMore)} />;

/** The message of an empty list, unless something below already explains it. */
function NothingListed({ list: { search, searchOlder, needsMore } }: { list: VersionList }) {
  const t = useTexts();
  if (search?.found.length === 0 || searchOlder !== undefined) return null;
  return <p className="hint nothing">{needsMore ? t.common.loading : t.history.noMatch}</p>;
}

/** Returns the row that a key leads to; undefined for other keys. */
function rowAfterKey(key: string, place: number, count: number): number | undefined {
  const last = count - 1;
  const from = Math.max(place, 0);
  const places: Readonly<Record<string, number>> = {
    ArrowDown: place + 1,
    ArrowUp: from - 1,
    PageDown: from + pageRows,
    PageUp: from - pageRows,
    Home: 0,
    End: last,
  };
  const to = places[key];
  return to === undefined ? undefined : Math.min(last, Math.max(0, to));
}
