/** Filters versions of a document by author, comment and day. */
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { useSubject } from '../shell/session.tsx';
import { authorName, type ListedVersion } from '../state/authors.ts';
import { formatNumber, useTexts } from '../texts/index.ts';
import { useReviewTexts } from '../texts/review.ts';
import { Button } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Choice, SearchField } from '../ui/filters.tsx';
import type { PathSearch } from './path-search.ts';
import { everything, type VersionFilter } from './version-filter.ts';

interface HistoryFilterProps {
  readonly items: readonly ListedVersion[];
  readonly filter: VersionFilter;
  readonly onChange: (filter: VersionFilter) => void;
  /** The versions known to have changed the path; undefined if none is entered. */
  readonly search: PathSearch | undefined;
}

export function HistoryFilter({ items, filter, onChange, search }: HistoryFilterProps) {
  const t = useTexts();
  const subject = useSubject();
  const authors = [...new Set(items.map(({ author }) => authorName(t, author, subject)))].sort();
  const change = (next: Partial<VersionFilter>) => onChange({ ...filter, ...next });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const [isOpen, setOpen] = useState(filter.path !== '');
  return (
    <search className="history-filter">
      <SearchField label={t.history.findComment} value={filter.comment} onChange={(comment) => change({ comment })} />
      <Button
        kind="quiet"
        icon={<ListFilter />}
        aria-label={t.history.filters}
        aria-expanded={isOpen}
        aria-pressed={isFiltered}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <Choices authors={authors} filter={filter} onChange={onChange} search={search} />}
    </search>
  );
}

function Choices(props: Omit<HistoryFilterProps, 'items'> & { authors: readonly string[] }) {
  const { authors, filter, onChange, search } = props;
  const t = useTexts();
  const change = (next: Partial<VersionFilter>) => onChange({ ...filter, ...next });
  return (
    <div className="history-choices">
      <Choice
        label={t.audit.actor}
        value={filter.author}
        onChange={(author) => change({ author })}
        options={[{ value: '', label: t.history.anyAuthor }, ...authors.map((name) => ({ value: name, label: name }))]}
      />
      <DayField label={t.history.since} value={filter.since} onChange={(since) => change({ since })} />
      <DayField label={t.history.until} value={filter.until} onChange={(until) => change({ until })} />
      <label className="day-field wide">
        <span>{t.history.path}</span>
        <input
          className="mono"
          placeholder="limits › maxPartySize"
          spellCheck={false}
          value={filter.path}
          onChange={({ target }) => change({ path: target.value })}
        />
      </label>
      {search && <PathProgress search={search} />}
      <Button kind="quiet" size="small" icon={<X />} onClick={() => onChange(everything)}>
        {t.history.unfilter}
      </Button>
    </div>
  );
}

/** The progress of the search, and a button to continue it. */
function PathProgress({ search }: { search: PathSearch }) {
  const t = useTexts();
  const r = useReviewTexts();
  const { found, span, isLooking, isAtEnd, fault, searchOlder } = search;
  const [newest, oldest] = [span?.[0].version ?? 0, span?.[1].version ?? 0];
  const said = isLooking ? r.looking : found.length > 0 ? r.lookedFound : isAtEnd ? r.lookedAll : r.lookedNone;
  return (
    <div className="path-progress">
      <Fault error={fault} onRetry={searchOlder} />
      <span className="hint" role="status">
        {span === undefined ? r.lookingFirst : said(formatNumber(newest), formatNumber(oldest))}
      </span>
      {!isLooking && !isAtEnd && (
        <Button size="small" onClick={searchOlder}>
          {found.length > 0 ? t.history.before : t.history.older}
        </Button>
      )}
    </div>
  );
}

function DayField(props: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <label className="day-field">
      <span>{props.label}</span>
      <input type="date" value={props.value} onChange={({ target }) => props.onChange(target.value)} />
    </label>
  );
}
