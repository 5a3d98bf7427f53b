/** Asks the service what a player, or a program with some attributes, gets from a saved flag. */
import { ApiError } from '@holdfast/contract/call';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '@holdfast/json';
import { useState } from 'react';
import { send } from '../api/http.ts';
import type { StateKey } from '../api/state.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { flagSentence } from '../ui/flag-sentence.ts';
import { Form, TextField } from '../ui/form.tsx';
import { plain } from '../ui/plain-text.ts';
import { readScalar } from './scalars.ts';

const [useFlagTexts] = textsOf('flags');

interface TryAsProps {
  readonly stateKey: StateKey;
  readonly flagKey: string;
  /** The saved version that has the flag; undefined if none has it. */
  readonly savedVersion: number | undefined;
  readonly isChanged: boolean;
  /** The attributes that its rules read. */
  readonly attributes: readonly string[];
}

interface Result {
  readonly value: JsonValue | undefined;
  readonly variant: string;
  readonly reason: string;
}

export function TryAs({ stateKey, flagKey, savedVersion, isChanged, attributes }: TryAsProps) {
  const f = useFlagTexts();
  const t = useTexts();
  const [player, setPlayer] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [result, setResult] = useState<Result>();
  const others = attributes.filter((name) => name !== 'targetingKey');
  const ask = useAction(async () => {
    setResult(undefined);
    const context = others.reduce<JsonObject>((made, name) => withPath(made, name, values[name] ?? ''), {});
    const targetingKey = player.trim();
    setResult(await evaluate(stateKey, flagKey, targetingKey === '' ? context : { ...context, targetingKey }));
  });
  const message = ask.fault instanceof ApiError && ask.fault.code === 'flag_error' ? ask.fault.message : undefined;
  return (
    <section className="card try-as">
      <h2>{f.tryAs}</h2>
      {savedVersion === undefined ? (
        <p className="hint">{f.tryUnsaved}</p>
      ) : (
        <Form action={ask}>
          <TextField label={f.player} hint={f.playerHint} value={player} onChange={setPlayer} spellCheck={false} />
          <Button type="submit" isBusy={ask.isBusy}>
            {f.tryNow}
          </Button>
          {isChanged && <p className="hint">{f.trySaved(savedVersion)}</p>}
          {message === undefined ? (
            <Fault error={ask.fault} />
          ) : (
            <Notice kind="bad" title={f.failed}>
              {flagSentence(t, flagKey, message)}
            </Notice>
          )}
          <div role="status">{result !== undefined && <Shown result={result} />}</div>
          {others.length > 0 && (
            <details className="try-more">
              <summary>{f.moreAttributes}</summary>
              {others.map((name) => (
                <TextField
                  key={name}
                  label={name}
                  className="mono"
                  spellCheck={false}
                  value={values[name] ?? ''}
                  onChange={(text) => setValues({ ...values, [name]: text })}
                />
              ))}
            </details>
          )}
        </Form>
      )}
    </section>
  );
}

function Shown({ result: { value, variant, reason } }: { result: Result }) {
  const f = useFlagTexts();
  const words = Object.entries(f.reasons).find(([name]) => name === reason)?.[1];
  return (
    <div className="try-result" data-off={value === undefined || value === false || undefined}>
      <p>
        {f.gets} <b>{value === undefined ? f.getsDefault : variant}</b>{' '}
        {value !== undefined && (
          <span className="hint">{f.getsValue(typeof value === 'string' ? plain(value) : printJson(value))}</span>
        )}
      </p>
      <p className="hint">{words ?? reason}</p>
    </div>
  );
}

/** Returns the result of a saved flag. Rejects with `ApiError`, of code `flag_error` if it cannot be evaluated. */
async function evaluate(key: StateKey, flagKey: string, context: JsonObject): Promise<Result> {
  const response = await send('evaluateFlag', { params: { ...key, key: flagKey }, body: { context } });
  const answer = parseJson(await response.text());
  if (!isJsonObject(answer)) throw new TypeError('the service sent no flag');
  const { value, variant = '', reason = '' } = answer;
  return { value, variant: String(variant), reason: String(reason) };
}

/** Returns the context with an attribute set; one like `app.version` is in an object. An empty text is no value. */
function withPath(context: JsonObject, path: string, text: string): JsonObject {
  if (text.trim() === '') return context;
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...context, [name]: readScalar(text) };
  const inner = Object.hasOwn(context, name) ? context[name] : undefined;
  return { ...context, [name]: withPath(inner !== undefined && isJsonObject(inner) ? inner : {}, rest.join('.'), text) };
}
