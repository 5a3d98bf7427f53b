/** A version in a list. */
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useSubject } from '../shell/session.tsx';
import { authorName, type ListedVersion } from '../state/authors.ts';
import { formatAgo, formatBytes, formatTime, useTexts } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';

interface VersionRowProps {
  readonly item: ListedVersion;
  /** Says what it changed, in place of a comment. */
  readonly summary: ReactNode;
  /** How much it changed, or what of the searched field. */
  readonly changed: ReactNode;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  /** Whether the tab key focuses it; the arrow keys reach the others. */
  readonly isTabStop: boolean;
  /** Focuses this version. */
  readonly wanted: RefObject<number | undefined>;
  readonly onSelect: () => void;
}

export function VersionRow({
  item,
  summary,
  changed,
  isSelected,
  isCurrent,
  isTabStop,
  wanted,
  onSelect,
}: VersionRowProps) {
  const t = useTexts();
  const subject = useSubject();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isSelected || wanted.current !== item.version) return;
    wanted.current = undefined;
    button.current?.focus({ preventScroll: true });
  }, [isSelected, item.version, wanted]);
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
        <span className="version-comment cut" data-none={item.comment === null || undefined}>
          {item.comment === null ? summary : <Plain>{item.comment}</Plain>}
        </span>
        <span className="version-changed">{changed}</span>
      </span>
      <span className="version-foot">
        <span className="cut">
          <span title={formatBytes(item.stateSizeBytes)}>{t.common.version(item.version)}</span> ·{' '}
          <Plain>{authorName(t, item.author, subject)}</Plain> ·{' '}
          <time dateTime={item.createdAt} title={formatTime(item.createdAt)}>
            {formatAgo(item.createdAt)}
          </time>
        </span>
        {isCurrent && <span className="badge accent">{t.history.current}</span>}
      </span>
    </button>
  );
}
