/** Gives a player an amount or an entry of a list, in the save as it is now, with a reason. */
import { type JsonObject, printJson } from '@holdfast/json';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { checkDocument, type SchemaRecord, schemaQuery } from '../../api/schemas.ts';
import { readUserState, type StateRecord, type UserStateKey, writeUserState } from '../../api/state.ts';
import { FirstChanges } from '../../diff/change-list.tsx';
import { ChangePath, ChangeValues } from '../../diff/value-change.tsx';
import { rulesOf, usePathNames } from '../../fields/document-hints.tsx';
import { type Hints, hintsOf } from '../../fields/hints.ts';
import { compare } from '../../json-text/changes.ts';
import { textsOf } from '../../texts/index.ts';
import type { PlayerTexts } from '../../texts/players-en.ts';
import { violationText } from '../../texts/violations.ts';
import { useAction } from '../../ui/action.ts';
import { Notice, Skeleton } from '../../ui/controls.tsx';
import { useDebounced } from '../../ui/debounced.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, FormEnd } from '../../ui/form.tsx';
import { plain } from '../../ui/plain-text.ts';
import { pathText } from '../../ui/pointer-text.ts';
import { saveSchemaKey } from '../player-key.ts';
import { announce } from '../saves/announce.ts';
import { ReasonField } from '../saves/reason-field.tsx';
import { SaveTitle } from '../saves/save-title.tsx';
import { GiftFields, useChosenGift } from './gift-fields.tsx';
import { entryName, type Gift, type Target, targetsIn, withGift } from './gifts.ts';
import { rememberGift, usualReasons, usualTarget } from './usual-gift.ts';
import '../../ui/change-list.css';
import './give.css';

const [usePlayerTexts] = textsOf('players');

interface GiveProps {
  readonly saveKey: UserStateKey;
  /** The save when the dialog was opened. */
  readonly opened: StateRecord;
  /** The JSON Pointer to the value that is chosen at first. */
  readonly target?: string | undefined;
  readonly onClose: () => void;
}

export function Give(props: GiveProps) {
  const { saveKey, onClose } = props;
  const p = usePlayerTexts();
  const schema = useQuery(schemaQuery(saveSchemaKey(saveKey)));
  if (schema.data !== undefined) return <Gifts {...props} schema={schema.data} />;
  return (
    <Dialog isOpen onClose={onClose} title={<SaveTitle saveKey={saveKey} title={p.giveTitle} />}>
      <Fault error={schema.error} onRetry={() => void schema.refetch()} />
      <Skeleton rows={4} />
    </Dialog>
  );
}

function Gifts({ saveKey, opened, target: first, onClose, schema }: GiveProps & { schema: SchemaRecord | null }) {
  const p = usePlayerTexts();
  const rules = rulesOf(schema);
  const hints = useMemo(() => hintsOf(rules), [rules]);
  /** The save to change; null once it was deleted. */
  const [now, setNow] = useState<StateRecord | null>(opened);
  const targets = useMemo(() => targetsIn((now ?? opened).state, hints), [now, opened, hints]);
  const chosen = useChosenGift(targets, hints, () => first ?? usualTarget(saveKey, targets));
  const { pointer, target, gift } = chosen;
  const [comment, setComment] = useState('');
  const reasons = useMemo(() => usualReasons(saveKey), [saveKey]);
  const next = gift && now && target ? withGift(now.state, target, gift) : undefined;
  const faults = useFaults(saveKey, rules === undefined ? undefined : next, pointer);
  const isRefused = schema?.mode === 'enforce' && faults.length > 0;
  const isReady = next !== undefined && !isRefused && comment.trim() !== '';
  const give = useAction(async () => {
    if (now === null || !isReady) return;
    const written = await writeUserState(saveKey, { base: now, next, comment });
    if (written === undefined) return setNow(await readUserState(saveKey));
    rememberGift(saveKey, pointer, comment.trim());
    await announce(saveKey, now, written);
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={<SaveTitle saveKey={saveKey} title={p.giveTitle} />}
      text={p.giveText}
      env={saveKey.env}
    >
      {now !== null && now.version !== opened.version && (
        <Notice kind="good" title={p.mergedTitle(now.version)}>
          {p.giveAgain}
        </Notice>
      )}
      {(now === null || targets.length === 0) && <Notice kind="bad">{now === null ? p.noState : p.giveNothing}</Notice>}
      <Form action={give}>
        <GiftFields chosen={chosen} targets={targets} hints={hints} />
        {now !== null && next !== undefined && <Outcome from={now.state} to={next} hints={hints} />}
        {faults.length > 0 && <Notice kind={isRefused ? 'bad' : 'warn'}>{faults.join(' ')}</Notice>}
        <ReasonField value={comment} onChange={setComment} usual={reasons} />
        <Fault error={give.fault} />
        <FormEnd
          action={give}
          label={labelOf(p, target, gift)}
          isReady={isReady}
          missing={missingIn(p, target, gift)}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** What the button does: to a number, or with an entry as far as its name is known. */
function labelOf(p: PlayerTexts, target: Target | undefined, gift: Gift | undefined): string {
  if (target === undefined || gift === undefined) return p.giveNow;
  if ('entry' in gift) {
    const entry = entryName(gift.entry);
    return entry === undefined ? p.giveNow : p.giveEntryOf(plain(entry));
  }
  const { amount } = gift;
  const name = plain(target.name.at(-1) ?? '');
  return amount.startsWith('-') ? p.takeFrom(amount.slice(1), name) : p.addTo(amount, name);
}

/** What has yet to be entered. */
function missingIn(p: PlayerTexts, target: Target | undefined, gift: Gift | undefined): string | undefined {
  if (target === undefined) return p.needsTarget;
  return gift === undefined ? p.needsAmount : undefined;
}

/** What the schema says against the changed value, in sentences; empty while unknown. */
function useFaults(saveKey: UserStateKey, next: JsonObject | undefined, pointer: string): readonly string[] {
  const text = useDebounced(next === undefined ? undefined : printJson(next));
  const key = saveSchemaKey(saveKey);
  const { data } = useQuery({
    queryKey: ['gift', key, text],
    queryFn: ({ signal }) => next && checkDocument(key, next, signal),
    enabled: text !== undefined,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (next === undefined) return [];
  const isInside = (path: string) => path === pointer || path.startsWith(`${pointer}/`);
  const found = data?.violations.filter(({ path }) => isInside(path)) ?? [];
  return found.map((one) => `${pathText(one.path)} ${plain(violationText(one))}.`);
}

function Outcome({ from, to, hints }: { from: JsonObject; to: JsonObject; hints: Hints }) {
  const namesOf = usePathNames(from, to, hints);
  const { changes } = useMemo(() => compare(from, to), [from, to]);
  return (
    <section className="change-list give-outcome" aria-live="polite">
      <FirstChanges changes={changes} first={1}>
        {(change) => (
          <li key={change.id} data-kind={change.kind}>
            <span className="change-line">
              <ChangePath change={change} namesOf={namesOf} />
              <ChangeValues change={change} />
            </span>
          </li>
        )}
      </FirstChanges>
    </section>
  );
}
