/** The list of versions: who, when, why, and how large. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useSubject } from '../shell/session.tsx';
import { authorName, type ListedVersion } from '../state/authors.ts';
import { formatAgo, formatBytes, formatTime, useTexts } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';

interface TimelineProps {
  readonly items: readonly ListedVersion[];
  readonly selected: number;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly onSelect: (version: number) => void;
}

const rowHeight = 76;

/** The list of versions. Only the rows in view are rendered. */
export function Timeline({ items, selected, hasMore, isLoading, onMore, onSelect }: TimelineProps) {
  const t = useTexts();
  const parent = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => parent.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoading && last >= items.length - 10) onMore();
  }, [hasMore, isLoading, last, items.length, onMore]);
  const move = (step: number) => {
    const index = items.findIndex(({ version }) => version === selected) + step;
    const next = items[index];
    if (next === undefined) return;
    rows.scrollToIndex(index);
    onSelect(next.version);
  };
  return (
    <section
      className="timeline"
      ref={parent}
      aria-label={t.history.list}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(step);
      }}
    >
      <ol style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li key={item.version} style={{ transform: `translateY(${start}px)`, height: rowHeight }}>
              <VersionRow
                item={item}
                before={items[index + 1]}
                isSelected={item.version === selected}
                isCurrent={index === 0}
                onSelect={() => onSelect(item.version)}
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function VersionRow(props: {
  item: ListedVersion;
  before: ListedVersion | undefined;
  isSelected: boolean;
  isCurrent: boolean;
  onSelect: () => void;
}) {
  const t = useTexts();
  const subject = useSubject();
  const { item, before, isSelected, isCurrent, onSelect } = props;
  const change = before === undefined ? 0 : item.stateSizeBytes - before.stateSizeBytes;
  return (
    <button type="button" className="version" aria-current={isSelected || undefined} onClick={onSelect}>
      <span className="version-head">
        <b>{t.common.version(item.version)}</b>
        {isCurrent && <span className="badge accent">{t.history.current}</span>}
        <span className="version-size">
          {formatBytes(item.stateSizeBytes)}
          {change !== 0 && (
            <small
              data-sign={change > 0 ? 'more' : 'less'}
            >{` ${change > 0 ? '+' : '−'}${formatBytes(Math.abs(change))}`}</small>
          )}
        </span>
      </span>
      <span className="version-comment cut" data-none={item.comment === null || undefined}>
        <Plain>{item.comment ?? t.common.noComment}</Plain>
      </span>
      <span className="version-foot cut">
        <Plain>{authorName(t, item.author, subject)}</Plain> ·{' '}
        <time dateTime={item.createdAt} title={formatTime(item.createdAt)}>
          {formatAgo(item.createdAt)}
        </time>
      </span>
    </button>
  );
}
