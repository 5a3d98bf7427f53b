/** A save as names and values, group by group. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, pointerOf } from '@holdfast/json';
import { Gift } from 'lucide-react';
import { cellText } from '../form/cells.ts';
import { isNumber, type Path } from '../form/values.ts';
import { useFormTexts } from '../texts/forms.ts';
import { formatNumber, useTexts } from '../texts/index.ts';
import { usePlayerTexts } from '../texts/players.ts';
import { plain } from '../ui/plain-text.ts';
import './save-fields.css';

/** Groups within groups; deeper ones are counted. */
const depthMax = 3;
/** Members of a group, and entries of a list; more are counted. */
const membersMax = 60;
const entriesMax = 12;
const identities = ['name', 'id', 'key'];

interface SaveFieldsProps {
  readonly value: JsonObject;
  readonly path?: Path;
  /** Gives to the number or list at a JSON Pointer; left out if not allowed. */
  readonly onGive?: ((pointer: string) => void) | undefined;
}

export function SaveFields({ value, path = [], onGive }: SaveFieldsProps) {
  const p = usePlayerTexts();
  const members = Object.entries(value);
  return (
    <dl className="save-fields">
      {members.slice(0, membersMax).map(([name, member]) => (
        <div key={name} data-group={(isJsonObject(member) && !isEmpty(member)) || undefined}>
          <dt>
            <bdi>{plain(name)}</bdi>
          </dt>
          <dd>
            <Value value={member} path={[...path, name]} onGive={onGive} />
            {onGive && (isNumber(member) || Array.isArray(member)) && (
              <button
                type="button"
                className="give-to"
                aria-label={p.giveTo(plain(name))}
                title={p.giveTo(plain(name))}
                onClick={() => onGive(pointerOf([...path, name]))}
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
}

function Value({ value, path, onGive }: ValueProps) {
  const t = useTexts();
  const f = useFormTexts();
  const p = usePlayerTexts();
  if (value === null || isEmpty(value)) return <span className="hint">{t.common.none}</span>;
  if (typeof value === 'boolean') return value ? f.on : f.off;
  if (!isContainer(value)) return <bdi>{plain(cellText(value))}</bdi>;
  if (isJsonObject(value)) {
    if (path.length > depthMax) return <span className="hint">{f.fields(formatNumber(Object.keys(value).length))}</span>;
    return <SaveFields value={value} path={path} onGive={onGive} />;
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
function entryText(entry: JsonValue): string | undefined {
  if (!isContainer(entry)) return cellText(entry);
  const identity = isJsonObject(entry) && identities.map((one) => entry[one]).find((one) => typeof one === 'string');
  return typeof identity === 'string' ? identity : undefined;
}
