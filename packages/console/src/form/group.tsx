/** The members of an object as fields, groups and links to tables. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, pointerOf } from '@holdfast/json';
import { ChevronRight, Plus, Table2, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { descriptionOf, firstValue, type Hint, type Hints, hintsOf, namesOf, noHint, requiredOf } from '../fields/hints.ts';
import { isTexts, kindOf } from '../fields/kinds.ts';
import { type Configuration, flagsName, membersOf } from '../fields/members.ts';
import { hasDataKeys, memberNames } from '../fields/names.ts';
import type { Path } from '../fields/values.ts';
import type { Finding } from '../json-text/document-text.ts';
import type { FormTexts } from '../texts/forms-en.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import { AddField } from './add-field.tsx';
import { type Edit, Field } from './field.tsx';
import { FlagsLink } from './flags-link.tsx';
import { gridOf } from './grid.ts';
import './group.css';

const [useFormTexts] = textsOf('forms');

export interface GroupProps {
  /** Of its section; a page has none. */
  readonly name?: string;
  readonly value: JsonObject;
  readonly hint: Hint;
  readonly hints: Hints;
  readonly path: Path;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly edit: Edit;
  readonly onOpen: (path: Path) => void;
  /** Undefined for a save. In a configuration, technical members are folded, and flags lead to their page. */
  readonly configuration?: Configuration | undefined;
  /** How many levels of groups are shown here; deeper ones are links. */
  readonly levels: number;
  /** Whether all members are shown; otherwise those with a page of their own are listed beside them. */
  readonly isWhole: boolean;
}

/** Larger groups are links. */
const inlineMembersMax = 16;

export function Group(props: GroupProps) {
  const { value, hint, hints, path, configuration, findings, edit, isWhole } = props;
  const f = useFormTexts();
  const { names, technical } = membersOf(value, hint, path.length === 0 && configuration !== undefined);
  const shown = isWhole ? names : overviewOf(value, names, hint, hints);
  const nameOf = memberNames([value], hint, hints, hasDataKeys(value, hint));
  const finding = findings.get(pointerOf(path));
  return (
    <div className="form-group">
      {finding && (
        <p className="fault" data-severity={finding.severity}>
          {finding.message}
        </p>
      )}
      {names.length === 0 && technical.length === 0 && <p className="hint">{f.empty}</p>}
      {shown.map((key) => (
        <Member key={key} {...props} at={key} name={nameOf(key)} />
      ))}
      <Unset {...props} nameOf={nameOf} />
      {hint.additionalProperties !== false && (
        <AddField
          label={addText(f, props)}
          isTaken={(name) => Object.hasOwn(value, name)}
          onAdd={(name, first) => edit([...path, name], first)}
        />
      )}
      {technical.length > 0 && (
        <details className="form-technical">
          <summary>{f.technical}</summary>
          {technical.map((key) =>
            key === flagsName && configuration !== undefined ? (
              <FlagsLink key={key} configuration={configuration} className="form-part">
                <PartText name={nameOf(key)} at={key} value={value[key] ?? null} hint={hints.below(hint, key, false)} />
              </FlagsLink>
            ) : (
              <Member key={key} {...props} at={key} name={nameOf(key)} />
            ),
          )}
        </details>
      )}
    </div>
  );
}

/** Says to what a field is added, where a page may have several such buttons. */
function addText(f: FormTexts, { name, path, configuration }: GroupProps): string {
  if (name !== undefined) return f.addFieldTo(plain(name));
  return path.length === 0 && configuration === undefined ? f.addFieldToSave : f.addField;
}

/** The members that the schema has and the object lacks. */
function Unset({ value, hint, hints, path, edit, nameOf }: GroupProps & { nameOf: (key: string) => string }) {
  const f = useFormTexts();
  const keys = namesOf(hint).filter((key) => !Object.hasOwn(value, key));
  if (keys.length === 0) return null;
  return (
    <p className="form-unset">
      <span>{f.notSetFields}</span>
      {keys.map((key) => {
        const below = hints.below(hint, key, false);
        const name = plain(nameOf(key));
        return (
          <Button
            key={key}
            size="small"
            icon={<Plus />}
            title={name === key ? undefined : plain(key)}
            aria-label={f.setField(name)}
            onClick={() => edit([...path, key], firstValue(hints, below))}
          >
            {name}
          </Button>
        );
      })}
    </p>
  );
}

/** Whether a member is a group that fits on the page of the one around it. */
const isInline = (member: JsonValue, hint: Hint): member is JsonObject =>
  isJsonObject(member) && kindOf(member, hint) === 'group' && Object.keys(member).length <= inlineMembersMax;

/** The members that the overview of a document shows: fields, then small groups; all members, without any of these. */
function overviewOf(value: JsonObject, names: readonly string[], hint: Hint, hints: Hints): readonly string[] {
  const below = (name: string) => hints.below(hint, name, false);
  const isField = (name: string) => !['group', 'table'].includes(kindOf(value[name], below(name)));
  const fields = names.filter(isField);
  const groups = names.filter((name) => !isField(name) && isInline(value[name] ?? null, below(name)));
  const shown = [...fields, ...groups];
  return shown.length > 0 ? shown : names;
}

/** A member as a field, a section, or a link to the part with its own page. */
function Member({ at: key, name, ...props }: GroupProps & Pick<SectionProps, 'at' | 'name'>) {
  const { value, hint, hints, path, findings, edit, onOpen, levels } = props;
  const member = value[key];
  if (member === undefined) return null;
  const below = hints.below(hint, key, false);
  const at = [...path, key];
  const pointer = pointerOf(at);
  const kind = kindOf(member, below);
  const isRequired = requiredOf(hint).includes(key);
  if (levels > 0 && isInline(member, below)) {
    return (
      <Section name={name} at={key} hint={below} {...(!isRequired && { onRemove: () => edit(at, undefined) })}>
        <Group {...props} name={name} value={member} hint={below} path={at} levels={levels - 1} isWhole />
      </Section>
    );
  }
  if (kind === 'group' || kind === 'table') {
    return (
      <button type="button" className="form-part" onClick={() => onOpen(at)}>
        <PartText name={name} at={key} value={member} hint={below} />
      </button>
    );
  }
  return (
    <Field
      pointer={pointer}
      name={name}
      value={member}
      hint={below}
      hints={hints}
      isRequired={isRequired}
      finding={findings.get(pointer)}
      inner={kind === 'items' ? innerFindings(findings, pointer) : none}
      edit={edit}
    />
  );
}

const none: readonly [] = [];

/** The findings inside a value. None is always the same. */
function innerFindings(findings: ReadonlyMap<string, Finding>, pointer: string): readonly Finding[] {
  const inner = [...findings.values()].filter(({ path }) => path.startsWith(`${pointer}/`));
  return inner.length === 0 ? none : inner;
}

interface SectionProps {
  readonly name: string;
  /** The key. */
  readonly at: string;
  readonly hint: Hint;
  readonly onRemove?: () => void;
  readonly children: ReactNode;
}

function Section({ name, at, hint, onRemove, children }: SectionProps) {
  const f = useFormTexts();
  const id = useId();
  const description = descriptionOf(hint);
  return (
    <section className="form-section" aria-labelledby={id}>
      <div className="form-section-head">
        <h3 id={id} title={name === at ? undefined : plain(at)}>
          <bdi>{plain(name)}</bdi>
        </h3>
        {onRemove && (
          <Button
            kind="quiet"
            size="small"
            className="form-remove"
            icon={<X />}
            aria-label={f.removeField(plain(name))}
            onClick={onRemove}
          />
        )}
      </div>
      {description && <p className="hint">{description}</p>}
      {children}
    </section>
  );
}

/** The name and the size of a part that has a page of its own. */
function PartText({ name, at, value, hint }: Pick<SectionProps, 'name' | 'at' | 'hint'> & { value: JsonValue }) {
  const isTable = kindOf(value, hint) === 'table';
  return (
    <>
      {isTable && <Table2 aria-hidden="true" />}
      <span title={name === at ? undefined : plain(at)}>
        <bdi>{plain(name)}</bdi>
        <small>{descriptionOf(hint)}</small>
      </span>
      <small>
        <PartSize value={value} isTable={isTable} />
      </small>
      <ChevronRight aria-hidden="true" />
    </>
  );
}

/** How many rows or fields a part has. */
export function partSize(value: JsonValue): number {
  if (isJsonObject(value) && isTexts(value)) return gridOf(value, noHint, hintsOf(undefined)).rows.length;
  return isContainer(value) ? Object.keys(value).length : 0;
}

/** The number of rows or fields of a part. */
function PartSize({ value, isTable }: { value: JsonValue; isTable: boolean }) {
  const f = useFormTexts();
  const count = partSize(value);
  return isTable ? f.rows(formatNumber(count)) : f.fields(formatNumber(count));
}
