/** A document as a form: its parts at the side, and the fields or the table of one part. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, pathOfPointer, pointerOf } from '@holdfast/json';
import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { usePathNames } from '../fields/document-hints.tsx';
import { type Hint, type Hints, hintsOf } from '../fields/hints.ts';
import { kindOf } from '../fields/kinds.ts';
import type { Configuration } from '../fields/members.ts';
import { type Path, valueAt, withValue } from '../fields/values.ts';
import type { Finding } from '../json-text/document-text.ts';
import { textsOf } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import type { Edit } from './field.tsx';
import { GridView } from './grid-view.tsx';
import { Group } from './group.tsx';
import { Outline } from './outline.tsx';
import { runUndoKey } from './undo-key.ts';
import './form-view.css';

const [useFormTexts] = textsOf('forms');

export interface FormHandle {
  /** Opens the part with a value, and focuses its field. */
  open(path: Path): void;
  /** JSON Pointer to the focused value, or to the open part. */
  pointer(): string;
  focusSearch(): void;
}

interface FormViewProps {
  readonly ref: Ref<FormHandle>;
  readonly value: JsonObject;
  /** Of the document; undefined without one. */
  readonly schema: JsonValue | undefined;
  /** Undefined for a save. */
  readonly configuration?: Configuration;
  readonly findings: readonly Finding[];
  readonly initialPath: Path;
  readonly onChange: (document: JsonObject) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** The groups that a page shows within each other. */
const levels = 2;
/** Documents with no more values need neither a search nor a list of parts. */
const fewValues = 8;

export function FormView(props: FormViewProps) {
  const { ref, value, schema, configuration, findings, initialPath, onChange, onUndo, onRedo } = props;
  const f = useFormTexts();
  const hints = useMemo(() => hintsOf(schema), [schema]);
  // It stays as it was opened: no field moves because another was added.
  const [isSmall] = useState(() => countOfValues(value) <= fewValues);
  const [open, setOpen] = useState(() => partOf(value, hints, initialPath, isSmall));
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  const [wanted, setWanted] = useState<Path | undefined>(initialPath);
  const edit: Edit = useCallback((path, next) => {
    const document = withValue(latest.current.value, path, next);
    if (document === undefined || !isJsonObject(document) || document === latest.current.value) return;
    latest.current.value = document;
    latest.current.onChange(document);
  }, []);
  const focusAt = useRef(initialPath);
  const goTo = useCallback(
    (path: Path) => {
      focusAt.current = path;
      setOpen(partOf(latest.current.value, hints, path, isSmall));
      setWanted(path);
    },
    [hints, isSmall],
  );
  useImperativeHandle(ref, () => ({
    open: goTo,
    pointer: () => pointerOf(focusAt.current),
    focusSearch: () => focusSearch(root.current),
  }));
  useEffect(() => {
    if (wanted === undefined || wanted.length === 0) return;
    focusField(root.current, wanted);
    setWanted(undefined);
  }, [wanted]);
  const byPointer = useMemo(() => new Map(findings.map((one) => [one.path, one])), [findings]);
  const part = nearest(value, open);
  const namesOf = usePathNames(value, value, hints);
  const names = namesOf(part);
  const show = (path: Path) => {
    focusAt.current = path;
    setOpen(path);
    root.current?.querySelector('.form-page')?.scrollTo({ top: 0 });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields in it take the keys
    <div
      className="form-view"
      data-small={isSmall || undefined}
      ref={root}
      onKeyDown={(event) => runUndoKey(event, onUndo, onRedo)}
      onFocus={({ target }) => {
        const at = target.getAttribute('data-at');
        if (at !== null) focusAt.current = pathOfPointer(at);
      }}
    >
      {!isSmall && (
        <Outline {...{ value, hints, namesOf, configuration }} open={part} findings={byPointer} onOpen={show} onGo={goTo} />
      )}
      <section className={pageClass(part)} aria-label={plain(names.join(' › ')) || f.overview}>
        <Breadcrumb path={part} names={names} onOpen={show} />
        <Part
          key={pointerOf(part)}
          {...{ document: value, path: part, name: names.join(' › '), hints, configuration, edit, wanted, isSmall }}
          findings={byPointer}
          onOpen={show}
        />
      </section>
    </div>
  );
}

interface PartProps {
  readonly document: JsonObject;
  readonly path: Path;
  readonly name: string;
  readonly hints: Hints;
  readonly configuration: Configuration | undefined;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly edit: Edit;
  readonly onOpen: (path: Path) => void;
  readonly wanted: Path | undefined;
  /** Whether everything but tables is on one page. */
  readonly isSmall: boolean;
}

function Part({ document, path, name, hints, configuration, findings, edit, onOpen, wanted, isSmall }: PartProps) {
  const value = valueAt(document, path);
  const hint = hintAt(document, hints, path);
  if (value === undefined || !isContainer(value)) return null;
  if (path.length > 0 && kindOf(value, hint) === 'table') {
    return (
      <GridView
        container={value}
        hint={hint}
        hints={hints}
        path={path}
        name={name}
        findings={findings}
        wanted={wanted}
        onChange={(next) => edit(path, next)}
        onOpen={(row) => onOpen([...path, ...row])}
      />
    );
  }
  if (!isJsonObject(value)) return null;
  return (
    <Group
      value={value}
      hint={hint}
      hints={hints}
      path={path}
      configuration={configuration}
      findings={findings}
      edit={edit}
      onOpen={onOpen}
      levels={isSmall ? fewValues : path.length === 0 ? 1 : levels}
      isWhole={isSmall || path.length > 0}
    />
  );
}

const pageClass = (part: Path): string => (part.length === 0 ? 'form-page form-overview' : 'form-page');

/** A narrow table has a search of its own only. */
function focusSearch(form: HTMLElement | null): void {
  const inputs = form?.querySelectorAll<HTMLElement>('.form-find input, .grid-bar input') ?? [];
  [...inputs].find((input) => input.offsetParent !== null)?.focus();
}

/** Focuses the field of a value, which may be folded. */
function focusField(form: HTMLElement | null, path: Path): void {
  const field = form?.querySelector<HTMLElement>(`[data-at="${CSS.escape(pointerOf(path))}"]`);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}

/** Returns the hint for a value of the document. */
export function hintAt(document: JsonObject, hints: Hints, path: Path): Hint {
  return path.reduce(
    (hint, segment, index) => hints.below(hint, segment, Array.isArray(valueAt(document, path.slice(0, index)))),
    hints.root,
  );
}

/** Returns how many values a document has that contain no others; of more than a few, any larger number. */
function countOfValues(value: JsonValue): number {
  if (!isContainer(value)) return 1;
  let count = 0;
  for (const child of Object.values<JsonValue>(value)) {
    count += countOfValues(child);
    if (count > fewValues) break;
  }
  return count;
}

/** Returns the path of the part in which a value is edited: the first table on its way, or its outermost group; of a small document, the whole. */
function partOf(document: JsonObject, hints: Hints, path: Path, isSmall: boolean): Path {
  for (let length = 1; length <= path.length; length++) {
    const part = path.slice(0, length);
    const kind = kindOf(valueAt(document, part), hintAt(document, hints, part));
    if (kind === 'table') return part;
    if (kind !== 'group') return path.slice(0, isSmall ? 0 : Math.min(length - 1, 1));
  }
  return path.slice(0, isSmall ? 0 : 1);
}

/** The nearest part that is still there. */
function nearest(document: JsonObject, path: Path): Path {
  const value = valueAt(document, path);
  return value !== undefined && isContainer(value) ? path : nearest(document, path.slice(0, -1));
}
