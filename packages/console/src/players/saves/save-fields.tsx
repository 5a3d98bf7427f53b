/** A save as names and values, group by group. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, pointerOf } from '@holdfast/json';
import { Gift } from 'lucide-react';
import { useDocumentHints } from '../../fields/document-hints.tsx';
import type { Hint } from '../../fields/hints.ts';
import { identityOf } from '../../fields/identity.ts';
import { hasDataKeys, memberNames } from '../../fields/names.ts';
import { isNumber, type Path } from '../../fields/values.ts';
import { cellText } from '../../form/cells.ts';
import { formatNumber, textsOf, useTexts } from '../../texts/index.ts';
import { plain } from '../../ui/plain-text.ts';
import './save-fields.css';

const [useFormTexts] = textsOf('forms');
const [usePlayerTexts] = textsOf('players');

/** Groups within groups; deeper ones are counted. */
const depthMax = 3;
/** Members of a group, and entries of a list; more are counted. */
const membersMax = 60;
const entriesMax = 12;

interface SaveFieldsProps {
  readonly value: JsonObject;
  readonly path?: Path;
  readonly hint?: Hint;
  /** Gives to the number or list at a JSON Pointer; left out if not allowed. */
  readonly onGive?: ((pointer: string) => void) | undefined;
}

export function SaveFields({ value, path = [], hint, onGive }: SaveFieldsProps) {
  const p = usePlayerTexts();
  const hints = useDocumentHints();
  const around = hint ?? hints.root;
  const nameOf = memberNames([value], around, hints, hasDataKeys(value, around));
  const members = Object.entries(value).map(([key, member]) => {
    const below = hints.below(around, key, false);
    return { key, member, below, name: plain(nameOf(key)) };
  });
  return (
    <dl className="save-fields">
      {members.slice(0, membersMax).map(({ key, member, below, name }) => (
        <div key={key} data-group={(isJsonObject(member) && !isEmpty(member)) || undefined}>
          <dt title={name === key ? undefined : plain(key)}>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <Value value={member} path={[...path, key]} hint={below} onGive={onGive} />
            {onGive && (isNumber(member) || Array.isArray(member)) && (
              <button
                type="button"
                className="give-to"
                aria-label={p.giveTo(name)}
                title={p.giveTo(name)}
                onClick={() => onGive(pointerOf([...path, key]))}
              >
                <Gift aria-hidden="true" />
              </button>
            )}
          </dd>
        </div>
      ))}
      {members.length > membersMax && <p className="hint">{p.moreFields(formatNumber(members.length - membersMax))}</p>}
    </dl>
  );
}

const isEmpty = (value: JsonValue): boolean => isContainer(value) && Object.keys(value).length === 0;

interface ValueProps extends Pick<SaveFieldsProps, 'onGive'> {
  readonly value: JsonValue;
  readonly path: Path;
  readonly hint: Hint;
}

function Value({ value, path, hint, onGive }: ValueProps) {
  const t = useTexts();
  const f = useFormTexts();
  const p = usePlayerTexts();
  if (value === null || isEmpty(value)) return <span className="hint">{t.common.none}</span>;
  if (typeof value === 'boolean') return value ? f.on : f.off;
  if (!isContainer(value)) return <bdi>{plain(cellText(value))}</bdi>;
  if (isJsonObject(value)) {
    if (path.length > depthMax) return <span className="hint">{f.fields(formatNumber(Object.keys(value).length))}</span>;
    return <SaveFields value={value} path={path} hint={hint} onGive={onGive} />;
  }
  const entries = value.slice(0, entriesMax).map(entryText);
  if (entries.includes(undefined)) return <span className="hint">{p.entries(value.length)}</span>;
  const more = value.length - entries.length;
  return (
    <bdi>
      {plain(entries.join(', '))}
      {more > 0 && ` ${t.state.moreFindings(more)}`}
    </bdi>
  );
}

/** A scalar, or what identifies an object; undefined for others. */
const entryText = (entry: JsonValue): string | undefined => (isContainer(entry) ? identityOf(entry) : cellText(entry));
