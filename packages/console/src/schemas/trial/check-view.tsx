/** Tries rules on a configuration, a save or a patch, without saving. */
import type { SchemaCheckBody } from '@holdfast/contract';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId, useRef, useState } from 'react';
import { call } from '../../api/http.ts';
import { checkDocument, type SchemaKey, type SchemaRecord } from '../../api/schemas.ts';
import { emptyDocument } from '../../api/state.ts';
import { textsOf } from '../../texts/index.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { useAction } from '../../ui/action.ts';
import { Button, Skeleton } from '../../ui/controls.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import { samplesQuery } from '../rules/samples.ts';
import { Broken, Verdict } from './check-verdict.tsx';
import { exampleOf, patchOf } from './examples.ts';
import { type Subject, subjectOf, TriedEditor, type TriedView, useTried } from './tried-editor.tsx';
import './check-view.css';

const [useSchemaTexts] = textsOf('schemas');

interface CheckViewProps {
  readonly schemaKey: SchemaKey;
  /** The saved rules. */
  readonly record: SchemaRecord;
}

export function CheckView({ schemaKey, record }: CheckViewProps) {
  const [view, setView] = useState<TriedView>('form');
  /** What was tried of each subject, for when it is shown again. */
  const kept = useRef<Partial<Record<Subject, JsonValue>>>({});
  const subject = subjectOf(view);
  const show = (next: TriedView, value: JsonValue) => {
    kept.current[subject] = value;
    setView(next);
  };
  return (
    <div className="check-view">
      <Suspense fallback={<Skeleton rows={8} />}>
        <Trial key={subject} {...{ schemaKey, record, view }} kept={kept.current[subject]} onShow={show} />
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
  readonly view: TriedView;
  /** What was tried before; undefined at first. */
  readonly kept: JsonValue | undefined;
  readonly onShow: (view: TriedView, value: JsonValue) => void;
}

function Trial(props: TrialProps) {
  const first = useFirst(props.schemaKey, props.record, subjectOf(props.view));
  return first === undefined ? <Skeleton rows={8} /> : <Tried {...props} first={props.kept ?? first} />;
}

/** What was found, and in which version of the rules. */
interface Found {
  readonly checked: SchemaCheckBody;
  readonly version: number;
  /** What was checked; empty if it was a patch. */
  readonly document: JsonObject;
  /** The values with the reason beside them in the form. */
  readonly beside: ReadonlySet<string>;
}

function Tried({ schemaKey, record, view, first, onShow }: TrialProps & { readonly first: JsonValue }) {
  const s = useSchemaTexts();
  const id = useId();
  const subject = subjectOf(view);
  const tried = useTried(view, first, onShow);
  const [player, setPlayer] = useState('');
  const [found, setFound] = useState<Found>();
  /** Whether the text or the player has changed since the last check. */
  const [isNew, setNew] = useState(true);
  const needsPlayer = subject === 'ops' && schemaKey.kind === 'user-state';
  const isPlayerMissing = needsPlayer && player.trim() === '';
  const isReady = (isNew || found?.version !== record.version) && !isPlayerMissing;
  const check = useAction(async () => {
    const value = isReady ? tried.take() : undefined;
    if (value === undefined) return;
    const checked = await checkValue(schemaKey, subject, value, player, s);
    const beside = tried.mark(subject === 'ops' ? [] : checked.violations);
    setFound({ checked, version: record.version, document: isJsonObject(value) ? value : emptyDocument, beside });
    setNew(false);
  });
  const typePlayer = (text: string) => {
    setPlayer(text);
    setNew(true);
  };
  const result = check.fault === undefined ? found : undefined;
  return (
    <>
      <TriedEditor
        tried={tried}
        schema={record.schema}
        text={needsPlayer ? s.opsOfPlayer : s.checkText[subject]}
        isNew={isNew}
        onChange={() => setNew(true)}
        onSave={check.run}
      >
        {needsPlayer && (
          <TextField form={id} label={s.player} hint={s.playerHint} value={player} onChange={typePlayer} required />
        )}
      </TriedEditor>
      <Form id={id} action={check} className="check-end">
        <Button
          kind="primary"
          type="submit"
          isBusy={check.isBusy}
          disabled={!isReady}
          aria-describedby={isPlayerMissing ? `${id}-why` : undefined}
        >
          {s.check}
        </Button>
        {result && <Verdict checked={result.checked} isOld={isNew} />}
        {isPlayerMissing && (
          <p className="hint" id={`${id}-why`}>
            {s.playerMissing}
          </p>
        )}
      </Form>
      <Fault error={check.fault} />
      {result && (
        <Broken
          checked={result.checked}
          schema={record.schema}
          document={result.document}
          beside={isNew || view !== 'form' ? none : result.beside}
          isOld={isNew}
          onJump={subject === 'ops' ? undefined : tried.goTo}
        />
      )}
    </>
  );
}

const none: ReadonlySet<string> = new Set();

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
