/** The list of versions: author, time, comment and size. */
import type { JsonObject } from '@holdfast/json';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { ListedVersion } from '../state/authors.ts';
import { formatNumber, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { HistoryFilter } from './history-filter.tsx';
import type { VersionList } from './version-list.ts';
import { VersionRow } from './version-row.tsx';
import { VersionSummary } from './version-summary.tsx';

interface TimelineProps {
  readonly list: VersionList;
  /** A version, for the names of fields; undefined if they have none. */
  readonly document: JsonObject | undefined;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly onSelect: (version: number) => void;
}

const rowHeight = 76;
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

/** Only visible rows are rendered. */
function Rows({ list, isLoading, onMore, onSelect }: Omit<TimelineProps, 'document'>) {
  const { items: all, found: items, shown: selected = 0, needsMore: hasMore } = list;
  const parent = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => parent.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const place = items.findIndex(({ version }) => version === selected);
  const isAhead = place === -1 && (all.at(-1)?.version ?? 0) > selected;
  useEffect(() => {
    if (hasMore && !isLoading && (isAhead || last >= items.length - 10)) onMore();
  }, [hasMore, isLoading, isAhead, last, items.length, onMore]);
  /** The row to focus once it is rendered. */
  const wanted = useRef<number>(undefined);
  const isOpened = useRef(false);
  useEffect(() => {
    if (place === -1) return;
    // At first, no row is cut at the top.
    rows.scrollToIndex(place, { align: isOpened.current ? 'auto' : 'start' });
    isOpened.current = true;
  }, [place, rows.scrollToIndex]);
  const olderOf = useMemo(() => new Map(all.map((item, index) => [item.version, all[index + 1]])), [all]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = rowAfterKey(event.key, place, items.length);
    const next = to === undefined ? undefined : items[to];
    if (to === undefined) return;
    event.preventDefault();
    if (next === undefined) return;
    wanted.current = next.version;
    rows.scrollToIndex(to);
    onSelect(next.version);
  };
  const { range, isScrolling } = rows;
  const isVisible = (index: number) =>
    range !== null && !isScrolling && index >= range.startIndex && index <= range.endIndex;
  const tabStop = shown.some(({ index }) => index === place) ? place : shown[0]?.index;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows in it take the keys
    <div className="timeline" ref={parent} onKeyDown={onKeyDown}>
      <ol style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li key={item.version} style={{ transform: `translateY(${start}px)`, height: rowHeight }}>
              <VersionRow
                item={item}
                before={olderOf.get(item.version)}
                summary={
                  <RowSummary list={list} item={item} before={olderOf.get(item.version)} isVisible={isVisible(index)} />
                }
                isSelected={index === place}
                isCurrent={item.version === all[0]?.version}
                isTabStop={index === tabStop}
                wanted={wanted}
                onSelect={() => onSelect(item.version)}
              />
            </li>
          );
        })}
      </ol>
      {items.length === 0 && <NothingListed list={list} />}
    </div>
  );
}

/** Larger versions are read only where that costs no request each. */
const readBytesMax = 50_000;

interface RowSummaryProps {
  readonly list: VersionList;
  readonly item: ListedVersion;
  readonly before: ListedVersion | undefined;
  readonly isVisible: boolean;
}

/** What a visible version without a comment changed. */
function RowSummary({ list: { source, items }, item, before, isVisible }: RowSummaryProps) {
  const { common } = useTexts();
  if (item.comment !== null) return null;
  if (source.key === undefined) return common.noComment;
  const isCheap = items.indexOf(item) < source.cheapCount || item.stateSizeBytes <= readBytesMax;
  return (
    <VersionSummary
      source={source}
      version={item.version}
      before={item.version === 1 ? 0 : before?.version}
      isWanted={isVisible && isCheap}
      fallback={common.noComment}
    />
  );
}

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
