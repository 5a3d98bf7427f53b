/** The fields of a gift: its target, and an amount or an entry. */
import { type JsonValue, pointerOf, printJson } from '@holdfast/json';
import { useState } from 'react';
import { type Hints, rangeOf } from '../../fields/hints.ts';
import { numberOf } from '../../fields/values.ts';
import { textsOf } from '../../texts/index.ts';
import { Field } from '../../ui/controls.tsx';
import { TextField } from '../../ui/form.tsx';
import { plain } from '../../ui/plain-text.ts';
import { EntryFields } from './entry-fields.tsx';
import { firstEntry, type Gift, type Target } from './gifts.ts';

const [useFormTexts] = textsOf('forms');
const [usePlayerTexts] = textsOf('players');

/** What is chosen and typed so far. */
interface ChosenGift {
  /** A JSON Pointer to the target; empty for none. */
  readonly pointer: string;
  readonly target: Target | undefined;
  readonly choose: (pointer: string) => void;
  readonly amount: string;
  readonly setAmount: (amount: string) => void;
  /** Of a list: the entry to add. */
  readonly entry: JsonValue | undefined;
  readonly setEntry: (entry: JsonValue) => void;
  /** Undefined while nothing is given. */
  readonly gift: Gift | undefined;
}

/** `first` returns the pointer to begin with. */
export function useChosenGift(targets: readonly Target[], hints: Hints, first: () => string): ChosenGift {
  const [pointer, setPointer] = useState(first);
  const [amount, setAmount] = useState('');
  const [typed, setEntry] = useState<JsonValue>();
  const target = targets.find(({ path }) => pointerOf(path) === pointer);
  const entry = target?.kind === 'list' ? (typed ?? firstEntry(target, hints)) : undefined;
  const choose = (next: string) => {
    setPointer(next);
    setAmount('');
    setEntry(undefined);
  };
  return { pointer, target, choose, amount, setAmount, entry, setEntry, gift: target && giftOf(amount, entry) };
}

interface GiftFieldsProps {
  readonly chosen: ChosenGift;
  readonly targets: readonly Target[];
  readonly hints: Hints;
}

export function GiftFields({ chosen, targets, hints }: GiftFieldsProps) {
  const { pointer, target, choose, amount, setAmount, entry, setEntry } = chosen;
  return (
    <>
      <TargetField targets={targets} chosen={pointer} onChoose={choose} />
      {target?.kind === 'number' && <AmountField target={target} amount={amount} onChange={setAmount} />}
      {target !== undefined && entry !== undefined && (
        <EntryFields key={pointer} hints={hints} target={target} entry={entry} onChange={setEntry} />
      )}
    </>
  );
}

/** Returns an entry as a gift, otherwise an amount; undefined while nothing is given. */
function giftOf(amount: string, entry: JsonValue | undefined): Gift | undefined {
  if (entry !== undefined) return entry === '' ? undefined : { entry };
  const number = numberOf(amount);
  return number === undefined || number === 0 ? undefined : { amount: printJson(number) };
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
