/** Who gets which variant: one for all, or shares of players. */
import type { JsonObject, JsonValue } from '@holdfast/json';
import { Plus } from 'lucide-react';
import { formatPercent, textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Choice } from '../ui/filters.tsx';
import { JsonField, RemoveButton, TypedField } from './fields.tsx';
import type { Outcome, Share } from './targeting.ts';
import { shareOf } from './words.ts';

const [useFlagTexts] = textsOf('flags');

interface OutcomeProps {
  readonly outcome: Outcome;
  readonly variants: JsonObject;
  /** The name of the default variant, as far as there is one. */
  readonly fallback: string | undefined;
  readonly onChange: (outcome: Outcome) => void;
}

/** The value of a choice: a variant's begins with a colon, since it can have any name. */
const choiceOf = (outcome: Outcome): string => (outcome.kind === 'variant' ? `:${outcome.name}` : outcome.kind);

export function OutcomeFields({ outcome, variants, fallback, onChange }: OutcomeProps) {
  const f = useFlagTexts();
  const names = Object.keys(variants);
  const isMissing = outcome.kind === 'variant' && !names.includes(outcome.name);
  const choose = (value: string) => {
    if (value.startsWith(':')) onChange({ kind: 'variant', name: value.slice(1) });
    else if (value === 'shares') onChange({ kind: 'shares', by: undefined, shares: firstShares(names, outcome) });
    else if (value === 'default') onChange({ kind: 'default' });
  };
  return (
    <div className="outcome">
      <Choice
        label={f.outcome}
        value={choiceOf(outcome)}
        options={[
          ...names.map((name) => ({ value: `:${name}`, label: name })),
          ...(isMissing ? [{ value: choiceOf(outcome), label: f.noVariant(outcome.name) }] : []),
          ...(names.length > 1 || outcome.kind === 'shares' ? [{ value: 'shares', label: f.shareOf }] : []),
          { value: 'default', label: f.defaultOutcome(fallback ?? f.gameDefault) },
          ...(outcome.kind === 'json' ? [{ value: 'json', label: f.asJson }] : []),
        ]}
        onChange={choose}
      />
      {outcome.kind === 'shares' && <Shares {...{ outcome, names, onChange }} />}
      {outcome.kind === 'json' && (
        <div className="flag-json-part">
          <p className="hint">{f.jsonRule}</p>
          <JsonField label={f.asJson} value={outcome.value} onValue={(value) => onChange({ kind: 'json', value })} />
        </div>
      )}
    </div>
  );
}

/** A tenth of the players get the chosen variant, or the first; all others the second. */
function firstShares(names: readonly string[], outcome: Outcome): readonly Share[] {
  const first = outcome.kind === 'variant' ? outcome.name : (names[0] ?? '');
  const second = names.find((name) => name !== first) ?? first;
  return [
    { variant: first, weight: 10 },
    { variant: second, weight: 90 },
  ];
}

interface SharesProps {
  readonly outcome: Extract<Outcome, { kind: 'shares' }>;
  readonly names: readonly string[];
  readonly onChange: (outcome: Outcome) => void;
}

function Shares({ outcome, names, onChange }: SharesProps) {
  const f = useFlagTexts();
  const { shares } = outcome;
  const put = (place: number, next: Share | undefined) =>
    onChange({ ...outcome, shares: shares.flatMap((share, at) => (at === place ? (next ?? []) : share)) });
  const setWeight = (place: number, weight: number) => {
    const [first, second] = shares;
    const total = (first?.weight ?? 1) + (second?.weight ?? 1);
    // Two shares of a hundred stay a hundred.
    if (shares.length !== 2 || total !== 100 || weight > 100)
      return put(place, shares[place] && { ...shares[place], weight });
    onChange({
      ...outcome,
      shares: shares.map((share, at) => ({ ...share, weight: at === place ? weight : 100 - weight })),
    });
  };
  // Weights of a hundred are the percentages.
  const isPercent = shares.reduce((sum, { weight = 1 }) => sum + weight, 0) === 100;
  const unused = names.find((name) => shares.every(({ variant }) => variant !== name)) ?? names[0];
  return (
    <div className="shares">
      {shares.map((share, place) => {
        const isMissing = !names.includes(share.variant);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
          <div className="share" key={place}>
            <span className="share-weight">
              <TypedField
                type="number"
                min={0}
                step={1}
                inputMode="numeric"
                label={f.weight(share.variant)}
                text={String(share.weight ?? 1)}
                same={(typed) => String(weightOf(typed))}
                onText={(typed) => setWeight(place, weightOf(typed))}
              />
              <span className="share-percent">{isPercent ? '%' : formatPercent(shareOf(share, shares))}</span>
            </span>
            <Choice
              label={f.variant}
              value={share.variant}
              options={[
                ...names.map((name) => ({ value: name, label: name })),
                ...(isMissing ? [{ value: share.variant, label: f.noVariant(share.variant) }] : []),
              ]}
              onChange={(variant) => put(place, { ...share, variant })}
            />
            {shares.length > 1 && (
              <RemoveButton label={f.removeShare(share.variant)} onClick={() => put(place, undefined)} />
            )}
          </div>
        );
      })}
      {unused !== undefined && shares.length < names.length && (
        <Button
          kind="quiet"
          size="small"
          icon={<Plus />}
          onClick={() => onChange({ ...outcome, shares: [...shares, { variant: unused, weight: 10 }] })}
        >
          {f.addShare}
        </Button>
      )}
      <p className="hint">{f.sharesText}</p>
      {outcome.by !== undefined && <SplitBy by={outcome.by} onChange={(by) => onChange({ ...outcome, by })} />}
    </div>
  );
}

const weightOf = (typed: string): number => Math.min(2 ** 31 - 1, Math.max(0, Math.round(Number(typed) || 0)));

/** What decides the share, where it is not the player. */
function SplitBy({ by, onChange }: { by: JsonValue; onChange: (by: JsonValue | undefined) => void }) {
  const f = useFlagTexts();
  return (
    <div className="flag-json-part">
      <p className="hint">{f.splitBy}</p>
      <JsonField label={f.splitBy} value={by} onValue={(value) => onChange(Array.isArray(value) ? by : value)} />
    </div>
  );
}
