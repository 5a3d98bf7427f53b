/** The result of trying rules: whether everything fits, and otherwise which rules are broken where. */
import type { SchemaCheckBody } from '@holdfast/contract';
import { type JsonObject, type JsonValue, pathOfPointer, pointerOf } from '@holdfast/json';
import { Link, useSearch } from '@tanstack/react-router';
import { CircleCheck, CircleX } from 'lucide-react';
import { useMemo } from 'react';
import { usePathNames } from '../../fields/document-hints.tsx';
import { hintsOf } from '../../fields/hints.ts';
import { formatBytes, textsOf } from '../../texts/index.ts';
import { flagText, violationText } from '../../texts/violations.ts';
import { plain } from '../../ui/plain-text.ts';
import { pathText } from '../../ui/pointer-text.ts';
import { fieldOf } from '../rules/field-of-pointer.ts';
import { placeOf } from '../rules/field-path.ts';
import { capitalised } from '../rules/rules-in-words.ts';

const [useSchemaTexts] = textsOf('schemas');

/** The service finds no more. */
const violationsMax = 20;

interface VerdictProps {
  readonly checked: SchemaCheckBody;
  /** Whether the text has changed since. */
  readonly isOld: boolean;
}

/** In one line, beside the button. */
export function Verdict({ checked: { valid, violations, flags, stateSizeBytes }, isOld }: VerdictProps) {
  const s = useSchemaTexts();
  const count = violations.length;
  const words = [
    count > 0 && (count < violationsMax ? s.fails(count) : s.failsMax(count)),
    flags.length > 0 && s.flagsBad(flags.length),
  ];
  return (
    <p className="verdict" role="status" data-good={valid || undefined} data-old={isOld || undefined}>
      {valid ? <CircleCheck aria-hidden="true" /> : <CircleX aria-hidden="true" />}
      <span>
        <b>{valid ? s.breaksNone : words.filter(Boolean).join(' · ')}</b>
        {valid && <small>{s.fitsText(formatBytes(stateSizeBytes ?? 0))}</small>}
      </span>
    </p>
  );
}

interface BrokenProps extends VerdictProps {
  /** The saved schema, which has the rules. */
  readonly schema: JsonValue;
  /** What was checked, as far as known. */
  readonly document: JsonObject;
  /** The JSON Pointers of the values with the reason beside them. */
  readonly beside: ReadonlySet<string>;
  /** Shows a value in the form or the text; undefined if it is not there. */
  readonly onJump: ((path: string) => void) | undefined;
}

/** Each broken rule in a row: the field, what is wrong unless the field says so, and links to the value and to the rule. */
export function Broken({ checked: { violations, flags }, schema, document, beside, isOld, onJump }: BrokenProps) {
  const s = useSchemaTexts();
  const hints = useMemo(() => hintsOf(schema), [schema]);
  const namesOf = usePathNames(document, document, hints);
  const { kind } = useSearch({ from: '/shell/p/$slug/$env/schemas' });
  if (violations.length === 0 && flags.length === 0) return null;
  return (
    <ul className="broken" data-old={isOld || undefined}>
      {violations.map((one) => (
        <li key={`${one.path} ${one.keyword} ${one.message}`}>
          <bdi title={pathText(one.path)}>{namesOf(pathOfPointer(one.path)).map(plain).join(' › ') || s.whole}</bdi>
          {!beside.has(one.path) && <span>{capitalised(plain(violationText(one)))}</span>}
          <span className="broken-links">
            {onJump && (
              <button type="button" className="link" onClick={() => onJump(one.path)}>
                {s.showValue}
              </button>
            )}
            <Link to="." search={{ ...(kind && { kind }), at: pointerOf(placeOf(fieldOf(schema, one))) }}>
              {s.showRule}
            </Link>
          </span>
        </li>
      ))}
      {flags.map(({ flag, message }) => (
        <li key={`${flag} ${message}`}>
          <b>{plain(flag)}</b>
          <span>{capitalised(plain(flagText(message)))}</span>
        </li>
      ))}
    </ul>
  );
}
