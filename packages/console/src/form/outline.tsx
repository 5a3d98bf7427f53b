/** The parts of a document, and a search over the names and values of all of them. */
import { isContainer, type JsonObject, type JsonValue, pathOfPointer, pointerOf } from '@holdfast/json';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import type { Finding } from '../state/document-text.ts';
import { useFormTexts } from '../texts/forms.ts';
import { formatNumber } from '../texts/index.ts';
import { SearchField } from '../ui/filters.tsx';
import { plain } from '../ui/plain-text.ts';
import { useStrip } from '../ui/strip.ts';
import { cellText } from './cells.ts';
import { FlagsLink } from './flags-link.tsx';
import { partSize } from './group.tsx';
import { type Hints, titleOf } from './hints.ts';
import { type Configuration, flagsName, membersOf } from './members.ts';
import type { Path } from './values.ts';
import './outline.css';

interface OutlineProps {
  readonly value: JsonObject;
  readonly hints: Hints;
  readonly configuration: Configuration | undefined;
  readonly open: Path;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly onOpen: (path: Path) => void;
  /** Opens the part with a value, and focuses it. */
  readonly onGo: (path: Path) => void;
}

const foundMax = 50;
const shownCharactersMax = 80;

export const Outline = memo(function Outline(props: OutlineProps) {
  const { value, onGo } = props;
  const t = useFormTexts();
  const [typed, setTyped] = useState('');
  const typedQuery = typed.trim().toLowerCase();
  const query = useDeferredValue(typedQuery);
  const found = useMemo(() => (query === '' ? undefined : findIn(value, query)), [value, query]);
  const goToFirst = () => {
    // What is listed may still belong to the text before the last keys.
    const [first] = typedQuery === '' ? [] : findIn(value, typedQuery);
    if (first !== undefined) onGo(first.path);
  };
  return (
    <div className="form-outline">
      <div className="form-find">
        <SearchField label={t.find} value={typed} onChange={setTyped} onSubmit={goToFirst} />
      </div>
      {found !== undefined && (
        <>
          <p className="hint" role="status">
            {found.length === 0 ? t.nothingFound : t.found(found.length, found.length === foundMax)}
          </p>
          <ul className="form-found">
            {found.map(({ path, text }) => (
              <li key={pointerOf(path)}>
                <button type="button" onClick={() => onGo(path)}>
                  <bdi>{plain(path.join(' › '))}</bdi>
                  <small>{plain(text.slice(0, shownCharactersMax))}</small>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {found === undefined && <Parts {...props} />}
    </div>
  );
});

function Parts(props: Omit<OutlineProps, 'onGo'>) {
  const { value, hints, configuration, open, findings } = props;
  const t = useFormTexts();
  const strip = useStrip<HTMLUListElement>(open[0]);
  const faulty = faultyParts(findings);
  const { names, technical } = membersOf(value, hints.root, configuration !== undefined);
  const isPart = (name: string) => isContainer(value[name] ?? null);
  const folded = technical.filter(isPart);
  const item = (name: string) => <PartItem key={name} {...props} name={name} severity={faulty.get(name)} />;
  return (
    <nav aria-label={t.parts}>
      <ul ref={strip}>{['', ...names.filter(isPart)].map(item)}</ul>
      {folded.length > 0 && (
        <details className="form-technical" open={folded.includes(open[0] ?? '') || undefined}>
          <summary>
            {t.technical}
            <FaultyMark severity={folded.map((name) => faulty.get(name)).find((severity) => severity !== undefined)} />
          </summary>
          <ul>{folded.map(item)}</ul>
        </details>
      )}
    </nav>
  );
}

interface PartItemProps extends Pick<OutlineProps, 'value' | 'hints' | 'configuration' | 'open' | 'onOpen'> {
  /** Empty for the overview. */
  readonly name: string;
  readonly severity: Finding['severity'] | undefined;
}

function PartItem({ name, value, hints, configuration, open, severity, onOpen }: PartItemProps) {
  const t = useFormTexts();
  const path = name === '' ? [] : [name];
  const text = (
    <>
      <bdi>{name === '' ? t.overview : plain(titleOf(hints.below(hints.root, name, false)) ?? name)}</bdi>
      <FaultyMark severity={severity} />
      {name !== '' && <small>{formatNumber(partSize(value[name] ?? null))}</small>}
    </>
  );
  return (
    <li>
      {name === flagsName && configuration !== undefined ? (
        <FlagsLink configuration={configuration}>{text}</FlagsLink>
      ) : (
        <button type="button" aria-current={open[0] === path[0] ? 'true' : undefined} onClick={() => onOpen(path)}>
          {text}
        </button>
      )}
    </li>
  );
}

const FaultyMark = ({ severity }: Pick<PartItemProps, 'severity'>) =>
  severity && <i className="form-faulty" data-severity={severity} aria-hidden="true" />;

/** The worst severity in each part of the document. */
function faultyParts(findings: ReadonlyMap<string, Finding>): ReadonlyMap<string | undefined, Finding['severity']> {
  const found = new Map<string | undefined, Finding['severity']>();
  for (const [pointer, { severity }] of findings) {
    const [part] = pathOfPointer(pointer);
    if (found.get(part) !== 'error') found.set(part, severity);
  }
  return found;
}

/** Returns the values whose name or text contains the query, in lower case. */
function findIn(document: JsonObject, query: string): readonly { readonly path: Path; readonly text: string }[] {
  const found: { path: Path; text: string }[] = [];
  const walk = (value: JsonValue, path: Path): void => {
    if (found.length >= foundMax) return;
    const isNamed = path.at(-1)?.toLowerCase().includes(query) === true;
    if (!isContainer(value)) {
      const text = cellText(value);
      if (isNamed || text.toLowerCase().includes(query)) found.push({ path, text });
      return;
    }
    if (isNamed && path.length > 0 && !/^\d+$/.test(path.at(-1) ?? '')) found.push({ path, text: '' });
    for (const [name, child] of Object.entries<JsonValue>(value)) walk(child, [...path, name]);
  };
  walk(document, []);
  return found;
}
