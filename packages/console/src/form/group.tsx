/** The members of an object as fields, groups and links to tables. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { ChevronRight, Plus, Table2, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Finding } from '../state/document-text.ts';
import { useFormTexts } from '../texts/forms.ts';
import { formatNumber } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import { AddField } from './add-field.tsx';
import { type Edit, Field } from './field.tsx';
import { gridOf } from './grid.ts';
import {
  descriptionOf,
  firstValue,
  type Hint,
  type Hints,
  hintsOf,
  namesOf,
  noHint,
  requiredOf,
  titleOf,
} from './hints.ts';
import { isTexts, kindOf } from './kinds.ts';
import { type Path, pointerOf } from './values.ts';

export interface GroupProps {
  readonly value: JsonObject;
  readonly hint: Hint;
  readonly hints: Hints;
  readonly path: Path;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly edit: Edit;
  readonly onOpen: (path: Path) => void;
  /** How many levels of groups are shown here; deeper ones are links. */
  readonly levels: number;
}

/** Larger groups are links. */
const inlineMembersMax = 16;

/** Returns the names of an object's members: those of the schema in its order, then the others. */
export function orderedNames(value: JsonObject, hint: Hint): readonly string[] {
  const known = namesOf(hint).filter((name) => Object.hasOwn(value, name));
  const listed = new Set(known);
  return [...known, ...Object.keys(value).filter((name) => !listed.has(name))];
}

export function Group(props: GroupProps) {
  const { value, hint, hints, path, findings, edit, onOpen, levels } = props;
  const t = useFormTexts();
  const names = orderedNames(value, hint);
  const required = requiredOf(hint);
  const unset = namesOf(hint).filter((name) => !Object.hasOwn(value, name));
  return (
    <div className="form-group">
      {names.length === 0 && <p className="hint">{t.empty}</p>}
      {names.map((name) => {
        const member = value[name];
        if (member === undefined) return null;
        const below = hints.below(hint, name, false);
        const at = [...path, name];
        const pointer = pointerOf(at);
        const kind = kindOf(member, below);
        const isRequired = required.includes(name);
        if (kind === 'group' && isJsonObject(member) && levels > 0 && Object.keys(member).length <= inlineMembersMax) {
          return (
            <Section
              key={name}
              title={titleOf(below) ?? name}
              hint={below}
              {...(!isRequired && { onRemove: () => edit(at, undefined) })}
            >
              <Group {...props} value={member} hint={below} path={at} levels={levels - 1} />
            </Section>
          );
        }
        if (kind === 'group' || kind === 'table') {
          return <PartLink key={name} name={name} value={member} hint={below} onOpen={() => onOpen(at)} />;
        }
        return (
          <Field
            key={name}
            pointer={pointer}
            name={name}
            value={member}
            hint={below}
            hints={hints}
            isRequired={isRequired}
            finding={findings.get(pointer)}
            edit={edit}
          />
        );
      })}
      {unset.length > 0 && (
        <p className="form-unset">
          <span>{t.notSetFields}</span>
          {unset.map((name) => (
            <Button
              key={name}
              size="small"
              icon={<Plus />}
              aria-label={t.setField(plain(name))}
              onClick={() => edit([...path, name], firstValue(hints, hints.below(hint, name, false)))}
            >
              {plain(titleOf(hints.below(hint, name, false)) ?? name)}
            </Button>
          ))}
        </p>
      )}
      {hint.additionalProperties !== false && (
        <AddField isTaken={(name) => Object.hasOwn(value, name)} onAdd={(name, first) => edit([...path, name], first)} />
      )}
    </div>
  );
}

function Section(props: { title: string; hint: Hint; onRemove?: () => void; children: ReactNode }) {
  const t = useFormTexts();
  const id = useId();
  const description = descriptionOf(props.hint);
  return (
    <section className="form-section" aria-labelledby={id}>
      <div className="form-section-head">
        <h3 id={id}>
          <bdi>{plain(props.title)}</bdi>
        </h3>
        {props.onRemove && (
          <Button
            kind="quiet"
            size="small"
            className="form-remove"
            icon={<X />}
            aria-label={t.removeField(plain(props.title))}
            onClick={props.onRemove}
          />
        )}
      </div>
      {description && <p className="hint">{description}</p>}
      {props.children}
    </section>
  );
}

/** A link to a part that has a page of its own. */
function PartLink({ name, value, hint, onOpen }: { name: string; value: JsonValue; hint: Hint; onOpen: () => void }) {
  const isTable = kindOf(value, hint) === 'table';
  return (
    <button type="button" className="form-part" onClick={onOpen}>
      {isTable && <Table2 aria-hidden="true" />}
      <span>
        <bdi>{plain(titleOf(hint) ?? name)}</bdi>
        <small>{descriptionOf(hint)}</small>
      </span>
      <small>
        <PartSize value={value} isTable={isTable} />
      </small>
      <ChevronRight aria-hidden="true" />
    </button>
  );
}

/** How many rows or fields a part has. */
export function partSize(value: JsonValue): number {
  if (isJsonObject(value) && isTexts(value)) return gridOf(value, noHint, hintsOf(undefined)).rows.length;
  return isContainer(value) ? Object.keys(value).length : 0;
}

/** The number of rows or fields of a part. */
function PartSize({ value, isTable }: { value: JsonValue; isTable: boolean }) {
  const t = useFormTexts();
  const count = partSize(value);
  return isTable ? t.rows(formatNumber(count)) : t.fields(formatNumber(count));
}
