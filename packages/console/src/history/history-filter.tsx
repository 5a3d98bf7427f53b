/** Filters versions of a document by author, comment, day and changed field. */
import type { JsonObject } from '@holdfast/json';
import { ListFilter, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useSubject } from '../api/signed-in.ts';
import { emptyDocument } from '../api/state.ts';
import { usePathNames } from '../fields/document-hints.tsx';
import { pathOf } from '../fields/path-text.ts';
import { formatDay, formatNumber, textsOf, useTexts } from '../texts/index.ts';
import { authorName, type ListedVersion } from '../ui/authors.ts';
import { Button } from '../ui/controls.tsx';
import { DayField } from '../ui/day-field.tsx';
import { Fault } from '../ui/fault.tsx';
import { Choice, SearchField } from '../ui/filters.tsx';
import { plain } from '../ui/plain-text.ts';
import type { PathSearch } from './path-search.ts';
import { everything, type VersionFilter } from './version-filter.ts';
import './history.css';

const [useHistoryTexts] = textsOf('history');

interface HistoryFilterProps {
  readonly items: readonly ListedVersion[];
  readonly filter: VersionFilter;
  readonly onChange: (filter: VersionFilter) => void;
  /** The versions known to have changed the path; undefined if none is entered. */
  readonly search: PathSearch | undefined;
  /** A version, whose fields have names; undefined for a document that is shown as JSON. */
  readonly document: JsonObject | undefined;
}

export function HistoryFilter({ items, filter, onChange, search, document }: HistoryFilterProps) {
  const t = useTexts();
  const subject = useSubject();
  const authors = [...new Set(items.map(({ author }) => authorName(t, author, subject)))].sort();
  const change = (next: Partial<VersionFilter>) => onChange({ ...filter, ...next });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const [isOpen, setOpen] = useState(false);
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
      {isOpen ? (
        <Choices authors={authors} filter={filter} onChange={onChange} onApplied={() => setOpen(false)} />
      ) : (
        <Chips filter={filter} onChange={onChange} document={document} />
      )}
      {search && <PathProgress search={search} />}
    </search>
  );
}

interface ChoicesProps extends Pick<HistoryFilterProps, 'filter' | 'onChange'> {
  readonly authors: readonly string[];
  /** Folds the filters. */
  readonly onApplied: () => void;
}

function Choices({ authors, filter, onChange, onApplied }: ChoicesProps) {
  const t = useTexts();
  const change = (next: Partial<VersionFilter>) => onChange({ ...filter, ...next });
  return (
    <form
      className="history-choices"
      onSubmit={(event) => {
        event.preventDefault();
        onApplied();
      }}
    >
      <Choice
        label={t.audit.actor}
        value={filter.author}
        onChange={(author) => change({ author })}
        options={[{ value: '', label: t.history.anyAuthor }, ...authors.map((name) => ({ value: name, label: name }))]}
      />
      <DayChoice label={t.history.since} value={filter.since} onChange={(since) => change({ since })} />
      <DayChoice label={t.history.until} value={filter.until} onChange={(until) => change({ until })} />
      <label className="day-field whole-row">
        <span>{t.history.path}</span>
        <input
          className="path-field"
          placeholder={t.history.pathExample}
          spellCheck={false}
          value={filter.path}
          onChange={({ target }) => change({ path: target.value })}
        />
      </label>
      <Button type="submit">{t.history.applied}</Button>
    </form>
  );
}

/** The filters that are set besides the search, each with a button that clears it. */
function Chips({ filter, onChange, document }: Pick<HistoryFilterProps, 'filter' | 'onChange' | 'document'>) {
  const t = useTexts();
  const namesOf = usePathNames(document ?? emptyDocument, document ?? emptyDocument);
  const path = document === undefined ? filter.path : namesOf(pathOf(filter.path)).join(' › ');
  const chips = [
    { text: filter.author, cleared: { author: '' } },
    { text: filter.since && `${t.history.since} ${formatDay(filter.since)}`, cleared: { since: '' } },
    { text: filter.until && `${t.history.until} ${formatDay(filter.until)}`, cleared: { until: '' } },
    { text: path, title: filter.path, cleared: { path: '' } },
  ].filter(({ text }) => text !== '');
  if (chips.length === 0) return null;
  return (
    <div className="filter-chips">
      {chips.map(({ text, title, cleared }) => (
        <button
          key={text}
          type="button"
          className="chip"
          title={title && plain(title)}
          aria-label={t.history.remove(plain(text))}
          onClick={() => onChange({ ...filter, ...cleared })}
        >
          <bdi>{plain(text)}</bdi>
          <X aria-hidden="true" />
        </button>
      ))}
      <Button kind="quiet" size="small" onClick={() => onChange(everything)}>
        {t.history.unfilter}
      </Button>
    </div>
  );
}

/** The progress of the search, and a button that stops or continues it. */
function PathProgress({ search }: { search: PathSearch }) {
  const t = useTexts();
  const h = useHistoryTexts();
  const { found, searchedCount, versionCount, isLooking, isAtEnd, fault, stop, searchOlder } = search;
  const isInVain = isAtEnd && found.length === 0;
  return (
    <div className="path-progress">
      <Fault error={fault} onRetry={searchOlder} />
      <span className="hint" role="status">
        {searchedCount === 0 && h.lookingFirst}
        {searchedCount > 0 &&
          (isInVain
            ? h.lookedAll
            : h.looked(found.length, formatNumber(searchedCount), formatNumber(Math.max(searchedCount, versionCount))))}
      </span>
      {!isAtEnd && (
        <Button size="small" onClick={isLooking ? stop : searchOlder}>
          {isLooking ? h.stop : t.history.older}
        </Button>
      )}
    </div>
  );
}

function DayChoice(props: { label: string; value: string; onChange: (day: string) => void }) {
  const id = useId();
  return (
    <div className="day-field">
      <label htmlFor={id}>{props.label}</label>
      <DayField isFilter id={id} value={props.value} onChange={(day) => day !== undefined && props.onChange(day)} />
    </div>
  );
}
