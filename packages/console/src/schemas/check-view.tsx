/** Tries rules on a configuration, a save or a patch, without saving. */
import type { SchemaCheckBody } from '@holdfast/contract';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { call } from '../api/http.ts';
import { checkDocument, type SchemaKey, type SchemaRecord } from '../api/schemas.ts';
import { formatted } from '../api/state.ts';
import type { CodeEditorHandle } from '../state/code-editor.tsx';
import { readText } from '../state/document-text.ts';
import { faultSentence } from '../state/json-fault.ts';
import { useTexts } from '../texts/index.ts';
import { type SchemaTexts, useSchemaTexts } from '../texts/schemas.ts';
import { violationText } from '../texts/violations.ts';
import { useAction } from '../ui/action.ts';
import { Button, Segments, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { Broken, Verdict } from './check-verdict.tsx';
import { exampleOf, patchOf } from './examples.ts';
import { samplesQuery } from './samples.ts';

const CodeEditor = lazy(async () => ({ default: (await import('../state/code-editor.tsx')).CodeEditor }));
const subjects = ['state', 'ops'] as const;
type Subject = (typeof subjects)[number];

interface CheckViewProps {
  readonly schemaKey: SchemaKey;
  /** The saved rules. */
  readonly record: SchemaRecord;
}

export function CheckView({ schemaKey, record }: CheckViewProps) {
  const s = useSchemaTexts();
  const [subject, setSubject] = useState<Subject>('state');
  const isOfPlayer = subject === 'ops' && schemaKey.kind === 'user-state';
  return (
    <div className="check-view">
      <div className="check-lead">
        <Segments
          label={s.checkOf}
          value={subject}
          onChange={setSubject}
          options={subjects.map((value) => ({ value, label: s.checks[value === 'ops' ? value : schemaKey.kind] }))}
        />
        <p className="hint">{isOfPlayer ? s.opsOfPlayer : s.checkText[subject]}</p>
      </div>
      <Suspense fallback={<Skeleton rows={8} />}>
        <TextCheck key={subject} schemaKey={schemaKey} record={record} subject={subject} />
      </Suspense>
    </div>
  );
}

/** The initial text of the editor: what is saved, or what the rules name. Undefined while unknown. */
function useFirstText(schemaKey: SchemaKey, { schema }: SchemaRecord, subject: Subject): string | undefined {
  const samples = useQuery(samplesQuery(schemaKey));
  if (samples.isPending) return undefined;
  const example = samples.data?.[0] ?? exampleOf(schema);
  return formatted(subject === 'state' ? example : patchOf(example));
}

interface TextCheckProps extends CheckViewProps {
  readonly subject: Subject;
}

/** What was found, and in which version of the rules. */
interface Found {
  readonly checked: SchemaCheckBody;
  readonly version: number;
}

function TextCheck({ schemaKey, record, subject }: TextCheckProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const editor = useRef<CodeEditorHandle>(null);
  const firstText = useFirstText(schemaKey, record, subject);
  const [player, setPlayer] = useState('');
  const [found, setFound] = useState<Found>();
  /** Whether the text or the player has changed since the last check. */
  const [isNew, setNew] = useState(true);
  const needsPlayer = subject === 'ops' && schemaKey.kind === 'user-state';
  const isReady = (isNew || found?.version !== record.version) && !(needsPlayer && player.trim() === '');
  const check = useAction(async () => {
    if (!isReady) return;
    const read = readText(editor.current?.text() ?? '', true);
    if (read.kind === 'fault') return editor.current?.goTo(read.position);
    const notObject = faultSentence(t, { kind: 'notObject', line: 1, text: '' });
    const checked = await checkText(schemaKey, subject, read.value, player, s, notObject);
    const marks = subject === 'ops' ? [] : checked.violations;
    editor.current?.show(marks.map((one) => ({ path: one.path, message: violationText(one), severity: 'error' })));
    setFound({ checked, version: record.version });
    setNew(false);
  });
  if (firstText === undefined) return <Skeleton rows={8} />;
  const typePlayer = (text: string) => {
    setPlayer(text);
    setNew(true);
  };
  return (
    <Form action={check}>
      {needsPlayer && <TextField label={s.player} hint={s.playerHint} value={player} onChange={typePlayer} required />}
      <div className="check-editor">
        <CodeEditor
          ref={editor}
          initialText={firstText}
          label={subject === 'ops' ? s.opsEditor : t.state.editor}
          isAnyJson
          onChange={() => setNew(true)}
          onCursor={() => undefined}
          onSave={check.run}
          onFormat={() => undefined}
        />
      </div>
      <div className="check-end">
        <Button kind="primary" type="submit" isBusy={check.isBusy} disabled={!isReady}>
          {s.check}
        </Button>
        {found && check.fault === undefined && <Verdict checked={found.checked} isOld={isNew} />}
      </div>
      <Fault error={check.fault} />
      {found && check.fault === undefined && (
        <Broken
          checked={found.checked}
          schema={record.schema}
          isOld={isNew}
          onJump={subject === 'ops' ? undefined : (path) => editor.current?.goToPointer(path)}
        />
      )}
    </Form>
  );
}

/** Rejects like `call`, or with the fault of the text. */
async function checkText(
  key: SchemaKey,
  subject: Subject,
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
