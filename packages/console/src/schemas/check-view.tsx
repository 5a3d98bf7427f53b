/** Tries rules on a configuration, a save or a patch, without saving. */
import type { SchemaCheckBody } from '@holdfast/contract';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId, useState } from 'react';
import { call } from '../api/http.ts';
import { checkDocument, type SchemaKey, type SchemaRecord } from '../api/schemas.ts';
import { type SchemaTexts, useSchemaTexts } from '../texts/schemas.ts';
import { useAction } from '../ui/action.ts';
import { Button, Segments, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { Broken, Verdict } from './check-verdict.tsx';
import { exampleOf, patchOf } from './examples.ts';
import { samplesQuery } from './samples.ts';
import { TriedEditor, useTried } from './tried-editor.tsx';
import './check-view.css';

const subjects = ['state', 'ops'] as const;
export type Subject = (typeof subjects)[number];

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
        <Trial key={subject} schemaKey={schemaKey} record={record} subject={subject} />
      </Suspense>
    </div>
  );
}

/** What is tried at first: what is saved, or what the rules name. Undefined while unknown. */
function useFirst(schemaKey: SchemaKey, { schema }: SchemaRecord, subject: Subject): JsonValue | undefined {
  const samples = useQuery(samplesQuery(schemaKey));
  if (samples.isPending) return undefined;
  const example = samples.data?.[0] ?? exampleOf(schema);
  return subject === 'state' ? example : patchOf(example);
}

interface TrialProps extends CheckViewProps {
  readonly subject: Subject;
}

function Trial(props: TrialProps) {
  const first = useFirst(props.schemaKey, props.record, props.subject);
  return first === undefined ? <Skeleton rows={8} /> : <Tried {...props} first={first} />;
}

/** What was found, and in which version of the rules. */
interface Found {
  readonly checked: SchemaCheckBody;
  readonly version: number;
}

function Tried({ schemaKey, record, subject, first }: TrialProps & { readonly first: JsonValue }) {
  const s = useSchemaTexts();
  const id = useId();
  const tried = useTried(subject, first);
  const [player, setPlayer] = useState('');
  const [found, setFound] = useState<Found>();
  /** Whether the text or the player has changed since the last check. */
  const [isNew, setNew] = useState(true);
  const needsPlayer = subject === 'ops' && schemaKey.kind === 'user-state';
  const isReady = (isNew || found?.version !== record.version) && !(needsPlayer && player.trim() === '');
  const check = useAction(async () => {
    const value = isReady ? tried.take() : undefined;
    if (value === undefined) return;
    const checked = await checkValue(schemaKey, subject, value, player, s);
    tried.mark(subject === 'ops' ? [] : checked.violations);
    setFound({ checked, version: record.version });
    setNew(false);
  });
  const typePlayer = (text: string) => {
    setPlayer(text);
    setNew(true);
  };
  const result = check.fault === undefined ? found : undefined;
  return (
    <>
      {needsPlayer && (
        <TextField form={id} label={s.player} hint={s.playerHint} value={player} onChange={typePlayer} required />
      )}
      <TriedEditor tried={tried} schema={record.schema} isNew={isNew} onChange={() => setNew(true)} onSave={check.run} />
      <Form id={id} action={check} className="check-end">
        <Button kind="primary" type="submit" isBusy={check.isBusy} disabled={!isReady}>
          {s.check}
        </Button>
        {result && <Verdict checked={result.checked} isOld={isNew} />}
      </Form>
      <Fault error={check.fault} />
      {result && (
        <Broken
          checked={result.checked}
          schema={record.schema}
          isOld={isNew}
          isSaid={tried.view === 'form'}
          onJump={subject === 'ops' ? undefined : tried.goTo}
        />
      )}
    </>
  );
}

/** Rejects like `call`, or if a patch is none. */
async function checkValue(
  key: SchemaKey,
  subject: Subject,
  value: JsonValue,
  player: string,
  s: SchemaTexts,
): Promise<SchemaCheckBody> {
  if (subject === 'state' && isJsonObject(value)) return checkDocument(key, value);
  if (!Array.isArray(value)) throw new Error(s.opsFault);
  const ops = value.filter((one): one is JsonObject & { op: 'add'; path: string } => isJsonObject(one));
  const endUserId = key.kind === 'user-state' ? { endUserId: player.trim() } : {};
  return call('checkSchema', { params: key, body: { ops, ...endUserId } });
}
