/** A version in a list. */
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useSubject } from '../shell/session.tsx';
import { authorName, type ListedVersion } from '../state/authors.ts';
import { formatAgo, formatBytes, formatTime, useTexts } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';

interface VersionRowProps {
  readonly item: ListedVersion;
  /** The previous version. */
  readonly before: ListedVersion | undefined;
  /** Says what it changed, in place of a comment. */
  readonly summary: ReactNode;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  /** Whether the tab key focuses it; the arrow keys reach the others. */
  readonly isTabStop: boolean;
  /** Focuses this version. */
  readonly wanted: RefObject<number | undefined>;
  readonly onSelect: () => void;
}

export function VersionRow({ item, before, summary, isSelected, isCurrent, isTabStop, wanted, onSelect }: VersionRowProps) {
  const t = useTexts();
  const subject = useSubject();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isSelected || wanted.current !== item.version) return;
    wanted.current = undefined;
    button.current?.focus({ preventScroll: true });
  }, [isSelected, item.version, wanted]);
  const change = before === undefined ? 0 : item.stateSizeBytes - before.stateSizeBytes;
  return (
    <button
      type="button"
      ref={button}
      className="version"
      aria-current={isSelected || undefined}
      tabIndex={isTabStop ? 0 : -1}
      onClick={onSelect}
    >
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
        {item.comment === null ? summary : <Plain>{item.comment}</Plain>}
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
