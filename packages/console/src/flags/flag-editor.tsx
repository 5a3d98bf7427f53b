/** One flag: its state, variants and rules, and what a player gets. */
import type { JsonObject, JsonValue } from '@holdfast/json';
import type { StateKey } from '../api/state.ts';
import type { Finding } from '../json-text/document-text.ts';
import { textsOf } from '../texts/index.ts';
import { Notice } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import type { Suggestions } from './condition.tsx';
import { JsonField } from './fields.tsx';
import { descriptionOf, isFlag, isOn, withState } from './flag.ts';
import { Rules } from './rules.tsx';
import { TryAs } from './try-as.tsx';
import { Variants } from './variants.tsx';
import './flag-editor.css';

const [useFlagTexts] = textsOf('flags');

interface FlagEditorProps {
  readonly stateKey: StateKey;
  readonly flagKey: string;
  readonly flag: JsonValue;
  readonly findings: readonly Finding[];
  readonly suggestions: Suggestions;
  /** Attributes that the rules of the flag read. */
  readonly attributes: readonly string[];
  readonly savedVersion: number | undefined;
  readonly isChanged: boolean;
  readonly onChange: (flag: JsonValue) => void;
}

export function FlagEditor(props: FlagEditorProps) {
  const { stateKey, flagKey, flag, findings, suggestions, attributes, savedVersion, isChanged, onChange } = props;
  const f = useFlagTexts();
  return (
    <div className="flag">
      <fieldset className="flag-main">
        <legend className="hidden-text">{plain(flagKey)}</legend>
        {findings.length > 0 && (
          <Notice kind={findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn'}>
            {findings.map(({ message }) => (
              <p key={message}>{plain(message)}</p>
            ))}
          </Notice>
        )}
        {isFlag(flag) ? (
          <>
            <StateCard flag={flag} onChange={onChange} />
            <Rules flag={flag} suggestions={suggestions} onChange={onChange} />
            <Variants flag={flag} onChange={onChange} />
          </>
        ) : (
          <section className="card">
            <p>{f.unreadable}</p>
            <JsonField label={f.wholeJson} value={flag} onValue={onChange} />
          </section>
        )}
      </fieldset>
      <div className="flag-side">
        <TryAs {...{ stateKey, flagKey, savedVersion, isChanged, attributes }} />
        {isFlag(flag) && (
          <details className="card flag-whole">
            <summary>{f.wholeJson}</summary>
            <fieldset>
              <JsonField label={f.wholeJson} value={flag} onValue={onChange} />
            </fieldset>
          </details>
        )}
      </div>
    </div>
  );
}

function StateCard({ flag, onChange }: { flag: JsonObject; onChange: (flag: JsonObject) => void }) {
  const f = useFlagTexts();
  const description = descriptionOf(flag);
  return (
    <section className="card">
      {description !== undefined && <p className="flag-description">{plain(description)}</p>}
      <label className="check switch-row">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn(flag)}
          checked={isOn(flag)}
          onChange={({ target }) => onChange(withState(flag, target.checked))}
        />
        <span>
          <b>{f.stateOn}</b>
          <small>{f.stateOnText}</small>
        </span>
      </label>
    </section>
  );
}
