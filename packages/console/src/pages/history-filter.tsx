/** Which versions of a document are listed: by who wrote them, by their comment, and by day. */
import { ListFilter, Search, X } from 'lucide-react';
import { useState } from 'react';
import { useSubject } from '../shell/session.tsx';
import { authorName, type ListedVersion } from '../state/authors.ts';
import { formatNumber, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import type { PathSearch } from './path-search.ts';
import { everything, type VersionFilter } from './version-filter.ts';

interface HistoryFilterProps {
  readonly items: readonly ListedVersion[];
  readonly filter: VersionFilter;
  readonly onChange: (filter: VersionFilter) => void;
  /** What is known of the versions that changed the path; undefined while none is named. */
  readonly search: PathSearch | undefined;
}

export function HistoryFilter({ items, filter, onChange, search }: HistoryFilterProps) {
  const t = useTexts();
  const subject = useSubject();
  const authors = [...new Set(items.map(({ author }) => authorName(t, author, subject)))].sort();
  const change = (next: Partial<VersionFilter>) => onChange({ ...filter, ...next });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const [isOpen, setOpen] = useState(false);
  return (
    <search className="history-filter">
      <div className="search-field">
        <Search aria-hidden="true" />
        <input
          type="search"
          aria-label={t.history.findComment}
          placeholder={t.history.findComment}
          value={filter.comment}
          onChange={({ target }) => change({ comment: target.value })}
        />
      </div>
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
      <select aria-label={t.audit.actor} value={filter.author} onChange={({ target }) => change({ author: target.value })}>
        <option value="">{t.history.anyAuthor}</option>
        {authors.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <DayField label={t.history.since} value={filter.since} onChange={(since) => change({ since })} />
      <DayField label={t.history.until} value={filter.until} onChange={(until) => change({ until })} />
      <input
        className="mono"
        aria-label={t.history.path}
        placeholder={t.history.path}
        spellCheck={false}
        value={filter.path}
        onChange={({ target }) => change({ path: target.value })}
      />
      {search && <PathProgress search={search} />}
      <Button kind="quiet" size="small" icon={<X />} onClick={() => onChange(everything)}>
        {t.history.unfilter}
      </Button>
    </div>
  );
}

/** How far the search has come, and the way to the change before. */
function PathProgress({ search: { found, looked, isLooking, fault, goOn } }: { search: PathSearch }) {
  const t = useTexts();
  return (
    <div className="path-progress" role="status">
      <Fault error={fault} />
      <span className="hint">
        {isLooking ? t.history.looking(formatNumber(looked)) : t.history.looked(formatNumber(looked), found.length)}
      </span>
      {!isLooking && (
        <Button size="small" onClick={goOn}>
          {t.history.before}
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
