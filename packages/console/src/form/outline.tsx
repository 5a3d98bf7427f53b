/** The parts of a document, and a search over the names and values of all of them. */
import { isContainer, type JsonObject, type JsonValue, pathOfPointer, pointerOf } from '@holdfast/json';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import type { PathNames } from '../fields/document-hints.tsx';
import { type Hint, type Hints, titleOf } from '../fields/hints.ts';
import { keyInWords } from '../fields/key-in-words.ts';
import { type Configuration, flagsName, membersOf } from '../fields/members.ts';
import { memberNames } from '../fields/names.ts';
import type { Path } from '../fields/values.ts';
import type { Finding } from '../json-text/document-text.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { SearchField } from '../ui/filters.tsx';
import { plain } from '../ui/plain-text.ts';
import { useStrip } from '../ui/strip.ts';
import { cellText } from './cells.ts';
import { FlagsLink } from './flags-link.tsx';
import { partSize } from './group.tsx';
import './outline.css';

const [useFormTexts] = textsOf('forms');

interface OutlineProps {
  readonly value: JsonObject;
  readonly hints: Hints;
  readonly namesOf: PathNames;
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
  const { value, hints, namesOf, onGo } = props;
  const f = useFormTexts();
  const [typed, setTyped] = useState('');
  const typedQuery = typed.trim().toLowerCase();
  const query = useDeferredValue(typedQuery);
  const found = useMemo(() => (query === '' ? undefined : findIn(value, hints, query)), [value, hints, query]);
  const goToFirst = () => {
    // What is listed may still belong to the text before the last keys.
    const [first] = typedQuery === '' ? [] : findIn(value, hints, typedQuery);
    if (first !== undefined) onGo(first.path);
  };
  return (
    <div className="form-outline">
      <div className="form-find">
        <SearchField label={f.find} value={typed} onChange={setTyped} onSubmit={goToFirst} />
      </div>
      {found !== undefined && (
        <>
          <p className="hint" role="status">
            {found.length === 0 ? f.nothingFound : f.found(found.length, found.length === foundMax)}
          </p>
          <ul className="form-found">
            {found.map(({ path, text }) => (
              <li key={pointerOf(path)}>
                <button type="button" title={plain(path.join(' › '))} onClick={() => onGo(path)}>
                  <bdi>{plain(namesOf(path).join(' › '))}</bdi>
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

function Parts(props: Omit<OutlineProps, 'onGo' | 'namesOf'>) {
  const { value, hints, configuration, open, findings } = props;
  const f = useFormTexts();
  const strip = useStrip<HTMLUListElement>(open[0]);
  const faulty = faultyParts(findings);
  const { names, technical } = membersOf(value, hints.root, configuration !== undefined);
  const isPart = (name: string) => isContainer(value[name] ?? null);
  const folded = technical.filter(isPart);
  const nameOf = memberNames([value], hints.root, hints);
  const item = (key: string) => (
    <PartItem
      key={key}
      {...props}
      at={key}
      name={key === '' ? f.overview : plain(nameOf(key))}
      severity={faulty.get(key)}
    />
  );
  return (
    <nav aria-label={f.parts}>
      <ul ref={strip}>{['', ...names.filter(isPart)].map(item)}</ul>
      {folded.length > 0 && (
        <details className="form-technical" open={folded.includes(open[0] ?? '') || undefined}>
          <summary>
            {f.technical}
            <FaultyMark severity={folded.map((name) => faulty.get(name)).find((severity) => severity !== undefined)} />
          </summary>
          <ul>{folded.map(item)}</ul>
        </details>
      )}
    </nav>
  );
}

interface PartItemProps extends Pick<OutlineProps, 'value' | 'configuration' | 'open' | 'onOpen'> {
  /** The key; empty for the overview. */
  readonly at: string;
  readonly name: string;
  readonly severity: Finding['severity'] | undefined;
}

function PartItem({ at, name, value, configuration, open, severity, onOpen }: PartItemProps) {
  const path = at === '' ? [] : [at];
  const text = (
    <>
      <bdi title={at === '' ? undefined : plain(at)}>{name}</bdi>
      <FaultyMark severity={severity} />
      {at !== '' && <small>{formatNumber(partSize(value[at] ?? null))}</small>}
    </>
  );
  return (
    <li>
      {at === flagsName && configuration !== undefined ? (
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

/** Returns the values with the query, in lower case, in their key, name or text. */
function findIn(
  document: JsonObject,
  hints: Hints,
  query: string,
): readonly { readonly path: Path; readonly text: string }[] {
  const found: { path: Path; text: string }[] = [];
  const areNamed = new Map<string, boolean>();
  const isIn = (name: string) => name.toLowerCase().includes(query);
  const isNamedBy = (key: string, hint: Hint) => {
    const isKey = areNamed.get(key) ?? (isIn(key) || isIn(keyInWords(key)));
    areNamed.set(key, isKey);
    return isKey || isIn(titleOf(hint) ?? '');
  };
  const walk = (value: JsonValue, path: Path, hint: Hint): void => {
    if (found.length >= foundMax) return;
    const isNamed = path.length > 0 && isNamedBy(path.at(-1) ?? '', hint);
    if (!isContainer(value)) {
      const text = cellText(value);
      if (isNamed || text.toLowerCase().includes(query)) found.push({ path, text });
      return;
    }
    if (isNamed && path.length > 0 && !/^\d+$/.test(path.at(-1) ?? '')) found.push({ path, text: '' });
    const isList = Array.isArray(value);
    for (const [name, child] of Object.entries<JsonValue>(value)) {
      walk(child, [...path, name], hints.below(hint, name, isList));
    }
  };
  walk(document, [], hints.root);
  return found;
}
