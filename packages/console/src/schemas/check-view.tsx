/** Tries rules on a configuration, a save or a patch, without saving. */
import type { SchemaCheckBody } from '@holdfast/contract';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { call } from '../api/http.ts';
import { stateQuery } from '../api/queries.ts';
import { checkDocument, type SchemaKey } from '../api/schemas.ts';
import { formatted } from '../api/state.ts';
import type { CodeEditorHandle } from '../state/code-editor.tsx';
import { readText } from '../state/document-text.ts';
import { faultSentence } from '../state/json-fault.ts';
import { pathText } from '../state/pointer-text.ts';
import { formatBytes, useTexts } from '../texts/index.ts';
import { type SchemaTexts, useSchemaTexts } from '../texts/schemas.ts';
import { flagText, violationText } from '../texts/violations.ts';
import { useAction } from '../ui/action.ts';
import { Button, Notice, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Choice } from '../ui/filters.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { plain } from '../ui/plain-text.ts';

const CodeEditor = lazy(async () => ({ default: (await import('../state/code-editor.tsx')).CodeEditor }));
const subjects = ['state', 'ops'] as const;
type Subject = (typeof subjects)[number];

export function CheckView({ schemaKey }: { schemaKey: SchemaKey }) {
  const s = useSchemaTexts();
  const [subject, setSubject] = useState<Subject>('state');
  const isOfPlayer = subject === 'ops' && schemaKey.kind === 'user-state';
  return (
    <div className="check-view">
      <Choice
        label={s.checkOf}
        isLabelShown
        value={subject}
        onChange={setSubject}
        options={subjects.map((value) => ({ value, label: s.checks[value === 'ops' ? value : schemaKey.kind] }))}
      />
      <p className="hint">{isOfPlayer ? s.opsOfPlayer : s.checkText[subject]}</p>
      <TextCheck key={subject} schemaKey={schemaKey} subject={subject} />
    </div>
  );
}

/** The initial text of the editor. */
function useFirstText({ kind, ...stateKey }: SchemaKey, subject: Subject): string | undefined {
  const isStored = subject === 'state' && kind === 'public-state';
  const stored = useQuery({ ...stateQuery(stateKey), enabled: isStored });
  if (subject === 'ops') return formatted([{ op: 'replace', path: '/level', value: 2 }]);
  if (!isStored) return formatted({ level: 1 });
  return stored.data === undefined ? undefined : formatted(stored.data?.state ?? {});
}

interface TextCheckProps {
  readonly schemaKey: SchemaKey;
  readonly subject: 'state' | 'ops';
}

function TextCheck({ schemaKey, subject }: TextCheckProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const editor = useRef<CodeEditorHandle>(null);
  const firstText = useFirstText(schemaKey, subject);
  const [player, setPlayer] = useState('');
  const [checked, setChecked] = useState<SchemaCheckBody>();
  const needsPlayer = subject === 'ops' && schemaKey.kind === 'user-state';
  const check = useAction(async () => {
    setChecked(undefined);
    const read = readText(editor.current?.text() ?? '', true);
    if (read.kind === 'fault') return editor.current?.goTo(read.position);
    const notObject = faultSentence(t, { kind: 'notObject', line: 1, text: '' });
    const found = await checkText(schemaKey, subject, read.value, player, s, notObject);
    editor.current?.show(
      subject === 'ops'
        ? []
        : found.violations.map((one) => ({ path: one.path, message: violationText(one), severity: 'error' })),
    );
    setChecked(found);
  });
  if (firstText === undefined) return <Skeleton rows={8} />;
  return (
    <Form action={check}>
      {needsPlayer && <TextField label={s.player} hint={s.playerHint} value={player} onChange={setPlayer} required />}
      <div className="check-editor">
        <Suspense fallback={<Skeleton rows={8} />}>
          <CodeEditor
            ref={editor}
            initialText={firstText}
            label={subject === 'ops' ? s.opsEditor : t.state.editor}
            isAnyJson
            onChange={() => undefined}
            onCursor={() => undefined}
            onSave={check.run}
            onFormat={() => undefined}
          />
        </Suspense>
      </div>
      <Fault error={check.fault} />
      {checked && <Outcome checked={checked} onJump={(path) => editor.current?.goToPointer(path)} />}
      <div className="form-actions">
        <Button kind="primary" type="submit" isBusy={check.isBusy} disabled={needsPlayer && player.trim() === ''}>
          {s.check}
        </Button>
      </div>
    </Form>
  );
}

/** Rejects like `call`, or with the fault of the text. */
async function checkText(
  key: SchemaKey,
  subject: 'state' | 'ops',
  value: JsonValue,
  player: string,
  s: SchemaTexts,
  notObject: string,
): Promise<SchemaCheckBody> {
  if (subject === 'state') {
    if (!isJsonObject(value)) throw new Error(notObject);
    return checkDocument(key, value);
  }
  if (!Array.isArray(value)) throw new Error(s.opsFault);
  const ops = value.filter((one): one is JsonObject & { op: 'add'; path: string } => isJsonObject(one));
  const endUserId = key.kind === 'user-state' ? { endUserId: player.trim() } : {};
  return call('checkSchema', { params: key, body: { ops, ...endUserId } });
}

const violationsMax = 20;

interface OutcomeProps {
  readonly checked: SchemaCheckBody;
  readonly onJump: (path: string) => void;
}

function Outcome({ checked: { valid, violations, flags, stateSizeBytes }, onJump }: OutcomeProps) {
  const s = useSchemaTexts();
  if (valid) {
    return (
      <Notice kind="good" title={s.fits}>
        {s.fitsText(formatBytes(stateSizeBytes ?? 0))}
      </Notice>
    );
  }
  const title = violations.length < violationsMax ? s.fails(violations.length) : s.failsMax(violations.length);
  return (
    <>
      {violations.length > 0 && (
        <Notice kind="bad" title={title}>
          <ul className="findings">
            {violations.map(({ path, keyword, message }) => (
              <li key={`${path} ${keyword} ${message}`}>
                <button type="button" className="link" onClick={() => onJump(path)}>
                  <bdi>{pathText(path) || s.whole}</bdi>
                </button>{' '}
                {plain(violationText({ keyword, message }))} <code>{keyword}</code>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {flags.length > 0 && (
        <Notice kind="warn" title={s.flagsBad(flags.length)}>
          <ul className="findings">
            {flags.map(({ flag, message }) => (
              <li key={`${flag} ${message}`}>
                <b>{plain(flag)}</b> {plain(flagText(message))}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
