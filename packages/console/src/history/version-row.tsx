/** A version in a list. */

import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSubject } from '../api/signed-in.ts';
import { ChangeValues } from '../diff/value-change.tsx';
import { formatAgo, formatBytes, formatTime, useTexts } from '../texts/index.ts';
import { authorName, type ListedVersion } from '../ui/authors.ts';
import { useSeen } from '../ui/in-view.ts';
import { Plain } from '../ui/plain.tsx';
import type { Hit, VersionSource } from './path-search.ts';
import { ChangeCount, isLarge, VersionSummary } from './version-summary.tsx';

interface VersionRowProps {
  readonly item: ListedVersion;
  /** The previous version. */
  readonly before: ListedVersion | undefined;
  readonly source: VersionSource;
  /** What it changed of the searched field. */
  readonly hit: Hit | undefined;
  /** Whether it is read together with others. */
  readonly isAmongNewest: boolean;
  readonly isSelected: boolean;
  /** Whether its differences are below it; undefined if they never are. */
  readonly isOpen: boolean | undefined;
  readonly isCurrent: boolean;
  /** Whether the tab key focuses it; the arrow keys reach the others. */
  readonly isTabStop: boolean;
  readonly onSelect: (version: number) => void;
  /** Its differences. */
  readonly children: ReactNode;
}

export function VersionRow(props: VersionRowProps) {
  const { item, isSelected, isOpen, isCurrent, isTabStop, onSelect, children } = props;
  const t = useTexts();
  const subject = useSubject();
  const [isSeen, setSeen] = useState(false);
  const ref = useSeen<HTMLLIElement>(() => setSeen(true));
  const { summary, changed } = partsOf(props, isSeen);
  return (
    <li ref={ref} data-open={isOpen || undefined}>
      <button
        type="button"
        className="version"
        aria-current={isSelected || undefined}
        aria-expanded={isOpen}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => onSelect(item.version)}
      >
        <span className="version-head">
          <span className="version-comment cut" data-none={item.comment === null || undefined}>
            {item.comment === null ? summary : <Plain>{item.comment}</Plain>}
          </span>
          <span className="version-changed">{changed}</span>
          {isOpen !== undefined && <ChevronDown aria-hidden="true" />}
        </span>
        <span className="version-foot">
          <span className="version-about">
            <span title={formatBytes(item.stateSizeBytes)}>{t.common.version(item.version)}</span> ·{' '}
            <Plain>{authorName(t, item.author, subject)}</Plain> ·{' '}
            <time dateTime={item.createdAt} title={formatTime(item.createdAt)}>
              {formatAgo(item.createdAt)}
            </time>
          </span>
          {isCurrent && <span className="badge accent">{t.history.current}</span>}
        </span>
      </button>
      {children}
    </li>
  );
}

/** What a version changed: of a searched field, its values; otherwise, once it is seen, its first change, unless it has a comment, and how many. */
function partsOf({ item, before, source, hit, isAmongNewest }: VersionRowProps, isSeen: boolean) {
  if (hit !== undefined) {
    const values = <HitValues hit={hit} />;
    return item.comment === null ? { summary: values, changed: null } : { summary: null, changed: values };
  }
  if (source.key === undefined) return { summary: <NoComment />, changed: null };
  const compared = {
    source,
    version: item.version,
    before: item.version === 1 ? 0 : before?.version,
    sizeBytes: item.stateSizeBytes,
    isWanted: isSeen && (isAmongNewest || !isLarge(item.stateSizeBytes)),
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
