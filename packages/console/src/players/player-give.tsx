/** Gives a player an amount or an entry of a list, in the save as it is now, with a reason. */
import { type JsonObject, type JsonValue, pointerOf, printJson } from '@holdfast/json';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { checkDocument, type SchemaKey, type SchemaRecord, schemaQuery } from '../api/schemas.ts';
import { readUserState, type StateRecord, type UserStateKey, writeUserState } from '../api/state.ts';
import { FirstChanges } from '../diff/change-list.tsx';
import { ChangePath, ChangeValues } from '../diff/value-change.tsx';
import { rulesOf, usePathNames } from '../fields/document-hints.tsx';
import { type Hints, hintsOf, rangeOf } from '../fields/hints.ts';
import { numberOf } from '../fields/values.ts';
import { compare } from '../json-text/changes.ts';
import { textsOf } from '../texts/index.ts';
import type { PlayerTexts } from '../texts/players-en.ts';
import { violationText } from '../texts/violations.ts';
import { useAction } from '../ui/action.ts';
import { Field, Notice, Skeleton } from '../ui/controls.tsx';
import { useDebounced } from '../ui/debounced.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { plain } from '../ui/plain-text.ts';
import { pathText } from '../ui/pointer-text.ts';
import { EntryFields } from './player-entry.tsx';
import { entryName, firstEntry, type Gift, type Target, targetsIn, withGift } from './player-gifts.ts';
import { SaveTitle } from './save-title.tsx';
import { rememberGift, usualReasons, usualTarget } from './usual-gift.ts';
import { ReasonField, told } from './write-user-state.tsx';
import '../ui/change-list.css';

const [useFormTexts] = textsOf('forms');
const [usePlayerTexts] = textsOf('players');

interface GiveProps {
  readonly userStateKey: UserStateKey;
  /** The save when the dialog was opened. */
  readonly opened: StateRecord;
  /** The JSON Pointer to the value that is chosen at first. */
  readonly target?: string | undefined;
  readonly onClose: () => void;
}

export function Give(props: GiveProps) {
  const { userStateKey, onClose } = props;
  const p = usePlayerTexts();
  const { endUserId: _, ...stateKey } = userStateKey;
  const key: SchemaKey = { ...stateKey, kind: 'user-state' };
  const schema = useQuery(schemaQuery(key));
  if (schema.data !== undefined) return <Gifts {...props} schemaKey={key} schema={schema.data} />;
  return (
    <Dialog isOpen onClose={onClose} title={<SaveTitle saveKey={userStateKey} title={p.giveTitle} />}>
      <Fault error={schema.error} onRetry={() => void schema.refetch()} />
      <Skeleton rows={4} />
    </Dialog>
  );
}

type GiftsProps = GiveProps & { readonly schemaKey: SchemaKey; readonly schema: SchemaRecord | null };

function Gifts({ userStateKey, opened, target: first, onClose, schemaKey, schema }: GiftsProps) {
  const p = usePlayerTexts();
  const rules = rulesOf(schema);
  const hints = useMemo(() => hintsOf(rules), [rules]);
  /** The save to change; null once it was deleted. */
  const [now, setNow] = useState<StateRecord | null>(opened);
  const targets = useMemo(() => targetsIn((now ?? opened).state, hints), [now, opened, hints]);
  const [chosen, setChosen] = useState(() => first ?? usualTarget(userStateKey, targets));
  const target = targets.find(({ path }) => pointerOf(path) === chosen);
  const [amount, setAmount] = useState('');
  const [entry, setEntry] = useState<JsonValue>();
  const [comment, setComment] = useState('');
  const reasons = useMemo(() => usualReasons(userStateKey), [userStateKey]);
  const gift = target && giftOf(target, amount, entry ?? firstEntry(target, hints));
  const next = gift && now && target ? withGift(now.state, target, gift) : undefined;
  const faults = useFaults(schemaKey, rules === undefined ? undefined : next, chosen);
  const isRefused = schema?.mode === 'enforce' && faults.length > 0;
  const give = useAction(async () => {
    if (now === null || next === undefined || isRefused || comment.trim() === '') return;
    const written = await writeUserState(userStateKey, { base: now, next, comment });
    if (written === undefined) return setNow(await readUserState(userStateKey));
    rememberGift(userStateKey, chosen, comment.trim());
    await told(p, userStateKey, now, written);
    onClose();
  });
  const choose = (pointer: string) => {
    setChosen(pointer);
    setAmount('');
    setEntry(undefined);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={<SaveTitle saveKey={userStateKey} title={p.giveTitle} />}
      text={p.giveText}
      env={userStateKey.env}
    >
      {now !== null && now.version !== opened.version && (
        <Notice kind="good" title={p.mergedTitle(now.version)}>
          {p.giveAgain}
        </Notice>
      )}
      {(now === null || targets.length === 0) && <Notice kind="bad">{now === null ? p.noState : p.giveNothing}</Notice>}
      <Form action={give}>
        <TargetField targets={targets} chosen={chosen} onChoose={choose} />
        {target?.kind === 'number' && <AmountField target={target} amount={amount} onChange={setAmount} />}
        {target?.kind === 'list' && (
          <EntryFields
            key={chosen}
            hints={hints}
            target={target}
            entry={entry ?? firstEntry(target, hints)}
            onChange={setEntry}
          />
        )}
        {now !== null && next !== undefined && <Outcome from={now.state} to={next} hints={hints} />}
        {faults.length > 0 && <Notice kind={isRefused ? 'bad' : 'warn'}>{faults.join(' ')}</Notice>}
        <ReasonField value={comment} onChange={setComment} usual={reasons} />
        <Fault error={give.fault} />
        <FormEnd
          action={give}
          label={labelOf(p, target, gift)}
          isReady={next !== undefined && !isRefused && comment.trim() !== ''}
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

/** Undefined while nothing is given. */
function giftOf({ kind }: Target, amount: string, entry: JsonValue): Gift | undefined {
  if (kind === 'list') return entry === '' ? undefined : { entry };
  const number = numberOf(amount);
  return number === undefined || number === 0 ? undefined : { amount: printJson(number) };
}

/** What the schema says against the changed value, in sentences; empty while unknown. */
function useFaults(key: SchemaKey, next: JsonObject | undefined, pointer: string): readonly string[] {
  const text = useDebounced(next === undefined ? undefined : printJson(next));
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

interface TargetFieldProps {
  readonly targets: readonly Target[];
  readonly chosen: string;
  readonly onChoose: (pointer: string) => void;
}

function TargetField({ targets, chosen, onChoose }: TargetFieldProps) {
  const p = usePlayerTexts();
  const now = ({ kind, value }: Target) =>
    kind === 'list' ? p.entries(Array.isArray(value) ? value.length : 0) : value === undefined ? '0' : printJson(value);
  return (
    <Field label={p.giveWhat}>
      {(attributes) => (
        <select
          {...attributes}
          required
          data-settled={chosen !== '' || undefined}
          value={chosen}
          onChange={({ target }) => onChoose(target.value)}
        >
          <option value="" disabled>
            {p.giveChoose}
          </option>
          {targets.map((target) => (
            <option key={pointerOf(target.path)} value={pointerOf(target.path)}>
              {`${plain(target.name.join(' › '))} (${now(target)})`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function AmountField(props: { target: Target; amount: string; onChange: (amount: string) => void }) {
  const { target, amount, onChange } = props;
  const p = usePlayerTexts();
  const f = useFormTexts();
  const range = rangeOf(p.giveBounds, target.hint);
  const name = plain(target.name.join(' › '));
  const isFaulty = amount.trim() !== '' && numberOf(amount) === undefined;
  return (
    <TextField
      label={p.giveAmount}
      hint={[p.giveAmountHint, range && `${name} ${range}.`].filter(Boolean).join(' ')}
      fault={isFaulty ? f.needsNumber : undefined}
      inputMode="decimal"
      required
      maxLength={40}
      value={amount}
      onChange={onChange}
    />
  );
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
