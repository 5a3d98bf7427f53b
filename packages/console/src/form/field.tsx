/** A value with its label, its hints, and what is wrong with it. */
import { isRawNumber, type JsonValue, pathOfPointer, pointerOf } from '@holdfast/json';
import { History, Plus, X } from 'lucide-react';
import { memo, useContext, useId } from 'react';
import { descriptionOf, type Hint, type Hints, rangeOf, typesOf } from '../fields/hints.ts';
import { kindOf, scalarKind } from '../fields/kinds.ts';
import type { Path } from '../fields/values.ts';
import type { Value } from '../json-text/changes.ts';
import type { Finding } from '../json-text/document-text.ts';
import type { FormTexts } from '../texts/forms-en.ts';
import { textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import { cellText } from './cells.ts';
import { FieldHistory } from './field-history.ts';
import { WarnedInput } from './warned-input.tsx';

const [useFormTexts] = textsOf('forms');

/** Changes the value at a path; undefined removes it. */
export type Edit = (path: Path, value: Value) => void;

interface FieldProps {
  /** JSON Pointer to the value. */
  readonly pointer: string;
  readonly name: string;
  readonly value: Value;
  readonly hint: Hint;
  readonly hints: Hints;
  readonly isRequired: boolean;
  /** Of this value. */
  readonly finding: Finding | undefined;
  /** Of entries of a short list. */
  readonly inner: readonly Finding[];
  readonly edit: Edit;
}

export const Field = memo(function Field(props: FieldProps) {
  const { pointer, name, value, hint, isRequired, finding, edit } = props;
  const f = useFormTexts();
  const id = useId();
  const kind = kindOf(value, hint);
  const description = [descriptionOf(hint), finding === undefined && rangeText(f, hint)].filter(Boolean).join(' ');
  const path = pathOfPointer(pointer);
  const key = path.at(-1) ?? '';
  const isNullable = value === null || typesOf(hint).includes('null');
  return (
    <div className="form-field" data-kind={kind}>
      <div className="form-label" title={name === key ? undefined : plain(key)}>
        <label htmlFor={id}>
          <bdi>{plain(name)}</bdi>
        </label>
        {name !== key && <code>{plain(key)}</code>}
      </div>
      <div className="form-value">
        {kind === 'items' && Array.isArray(value) ? (
          <Items {...props} list={value} id={id} />
        ) : (
          <WarnedInput
            finding={finding}
            kind={kind === 'group' || kind === 'table' || kind === 'items' ? 'json' : kind}
            value={value}
            hint={hint}
            isOptional={!isRequired && typeof value !== 'string' && !isNullable && isKnown(hint)}
            isNullable={isNullable}
            isCell={false}
            onChange={(next) => edit(path, next)}
            attributes={{
              id,
              'data-at': pointer,
              ...(description && { 'aria-describedby': `${id}-hint` }),
            }}
          />
        )}
        {description && (
          <p className="hint" id={`${id}-hint`}>
            {description}
          </p>
        )}
      </div>
      <span className="form-more">
        {!isRequired && (
          <Button
            kind="quiet"
            size="small"
            className="form-remove"
            icon={<X />}
            aria-label={f.removeField(plain(name))}
            onClick={() => edit(path, undefined)}
          />
        )}
        <HistoryButton path={path} name={name} />
      </span>
    </div>
  );
});

/** Opens the versions that changed the value, where the form has a history. */
function HistoryButton({ path, name }: { path: Path; name: string }) {
  const f = useFormTexts();
  const openHistory = useContext(FieldHistory);
  return (
    openHistory && (
      <Button
        kind="quiet"
        size="small"
        className="form-remove"
        icon={<History />}
        title={f.whoChanged}
        aria-label={f.whoChangedField(plain(name))}
        onClick={() => openHistory(path)}
      />
    )
  );
}

const isKnown = (hint: Hint): boolean => Object.keys(hint).length > 0;

function rangeText(f: FormTexts, hint: Hint): string {
  const range = rangeOf(f.bounds, hint);
  const { default: initial } = hint;
  const isScalar = initial !== undefined && (typeof initial !== 'object' || isRawNumber(initial));
  return [range, isScalar && f.byDefault(cellText(initial))].filter(Boolean).join(' · ');
}

/** A short list of scalars, one per line. */
function Items({
  pointer,
  list,
  hint,
  hints,
  id,
  finding,
  inner,
  edit,
}: FieldProps & { list: readonly JsonValue[]; id: string }) {
  const f = useFormTexts();
  const path = pathOfPointer(pointer);
  const add = () => {
    const [first] = list;
    const empty = typeof first === 'number' ? 0 : typeof first === 'boolean' ? false : '';
    edit([...path, String(list.length)], first === undefined && below('0').type === 'integer' ? 0 : empty);
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-at="${CSS.escape(pointerOf([...path, String(list.length)]))}"]`)?.focus(),
    );
  };
  const below = (segment: string) => hints.below(hint, segment, true);
  return (
    <ul className="form-items">
      {list.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal entries have no other identity
        <li key={index}>
          <WarnedInput
            finding={inner.find(({ path: at }) => at === pointerOf([...path, String(index)]))}
            kind={scalarKind(item, below(String(index)))}
            value={item}
            hint={below(String(index))}
            isOptional={false}
            isNullable={item === null}
            isCell
            onChange={(next) => edit([...path, String(index)], next)}
            attributes={{
              ...(index === 0 && { id }),
              'aria-label': f.item(index + 1),
              'data-at': pointerOf([...path, String(index)]),
            }}
          />
          <Button
            kind="quiet"
            size="small"
            icon={<X />}
            aria-label={f.removeItem(index + 1)}
            onClick={() => edit([...path, String(index)], undefined)}
          />
        </li>
      ))}
      {finding && (
        <li>
          <p className="fault" data-severity={finding.severity}>
            {finding.message}
          </p>
        </li>
      )}
      <li>
        <Button {...(list.length === 0 && { id })} kind="quiet" size="small" icon={<Plus />} onClick={add}>
          {f.addItem}
        </Button>
      </li>
    </ul>
  );
}
