/** The list of versions: comment or changes, author and time. */
import type { JsonObject } from '@holdfast/json';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { ListedVersion } from '../state/authors.ts';
import { ChangeValues } from '../state/value-change.tsx';
import { formatNumber, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { HistoryFilter } from './history-filter.tsx';
import type { Hit } from './path-search.ts';
import type { VersionList } from './version-list.ts';
import { VersionRow } from './version-row.tsx';
import { ChangeCount, VersionSummary } from './version-summary.tsx';

interface TimelineProps {
  readonly list: VersionList;
  /** A version, for the names of fields; undefined if they have none. */
  readonly document: JsonObject | undefined;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly onSelect: (version: number) => void;
}

const rowHeight = 60;
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
  const { items: all, found: items, shown: selected = 0, needsMore: hasMore, search } = list;
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
    if (hasMore && !isLoading && (search?.needsMore || isAhead || last >= items.length - 10)) onMore();
  }, [hasMore, isLoading, search?.needsMore, isAhead, last, items.length, onMore]);
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
                {...rowParts({ list, item, before: olderOf.get(item.version), isVisible: isVisible(index) })}
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

interface RowParts {
  readonly list: VersionList;
  readonly item: ListedVersion;
  readonly before: ListedVersion | undefined;
  readonly isVisible: boolean;
}

/** What a visible version changed: of a searched field, its values; otherwise its first change, unless it has a comment, and how many. */
function rowParts({ list: { source, items, search }, item, before, isVisible }: RowParts) {
  const hit = search?.found.find(({ version }) => version === item.version);
  if (hit !== undefined) {
    const values = <HitValues hit={hit} />;
    return item.comment === null ? { summary: values, changed: null } : { summary: null, changed: values };
  }
  if (source.key === undefined) return { summary: <NoComment />, changed: null };
  const isCheap = items.indexOf(item) < source.cheapCount || item.stateSizeBytes <= readBytesMax;
  const compared = {
    source,
    version: item.version,
    before: item.version === 1 ? 0 : before?.version,
    isWanted: isVisible && isCheap,
  };
  return {
    summary: <VersionSummary {...compared} fallback={<NoComment />} />,
    changed: <ChangeCount {...compared} />,
  };
}

const NoComment = () => useTexts().common.noComment;

/** The old and the new value of the searched field. */
function HitValues({ hit: { from, to } }: { hit: Hit }) {
  const kind = from === undefined ? 'add' : to === undefined ? 'remove' : 'replace';
  return <ChangeValues change={{ path: [], id: '', kind, from, to }} />;
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
