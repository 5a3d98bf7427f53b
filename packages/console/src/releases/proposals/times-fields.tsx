/** The times at which a proposal is applied and undone: in the zone of this browser, and shown in UTC too. */
import { type ReactNode, useState } from 'react';
import type { Times } from '../../api/proposals.ts';
import { textsOf, useLanguage } from '../../texts/index.ts';
import type { ReleaseTexts } from '../../texts/releases-en.ts';
import { Field, Segments } from '../../ui/controls.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { dayText } from '../../ui/local-day.ts';
import { TypedInput } from '../../ui/typed-input.tsx';
import { clockInWords, readClock } from '../../ui/typed-time.ts';
import { formatCheck, formatUtc } from '../formats.ts';
import { instantsOf, ownZone, wallTime } from './local-time.ts';
import './times-fields.css';

const [useReleaseTexts] = textsOf('releases');

interface Typed {
  /** Empty for none, undefined for a text that is no day or time. */
  readonly day: string | undefined;
  readonly clock: string | undefined;
  /** Of two instants with this time, the later. */
  readonly isSecond: boolean;
}

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

interface TypedTimes {
  readonly fields: ReactNode;
  /** Undefined if one cannot be used, or there is none. */
  readonly value: Times | undefined;
}

/** `isNew`: the change is applied at the next full hour, until another time is typed. */
export function useTimes(times: Times | undefined, isNew: boolean, isApplied = false): TypedTimes {
  const r = useReleaseTexts();
  const zone = ownZone();
  const [applied, setApplied] = useState<Typed>();
  const [reverted, setReverted] = useState<Typed>();
  const [opened] = useState(Date.now);
  const suggested = isNew ? Math.ceil((opened + hourMs / 4) / hourMs) * hourMs : undefined;
  const apply = readTime(applied ?? typedOf(times?.applyAt ?? suggested, zone), zone);
  const revert = readTime(reverted ?? typedOf(times?.revertAt, zone), zone);
  const isOrdered = apply.at === undefined || revert.at === undefined || revert.at > apply.at;
  const faults = [apply.fault, revert.fault ?? (isOrdered ? undefined : ('order' as const))] as const;
  const isGood = faults.every((fault) => fault === undefined) && (!isNew || (apply.at ?? revert.at) !== undefined);
  return {
    fields: (
      <div className="times-fields">
        {!isApplied && (
          <TimeField
            label={r.applyAt}
            clockLabel={r.applyClock}
            time={apply}
            fault={faults[0]}
            zone={zone}
            onChange={setApplied}
          />
        )}
        <TimeField
          label={r.revertAt}
          clockLabel={r.revertClock}
          hint={r.revertHint}
          time={revert}
          fault={faults[1]}
          zone={zone}
          onChange={setReverted}
        />
      </div>
    ),
    value: isGood ? { applyAt: textOf(apply.at), revertAt: textOf(revert.at) } : undefined,
  };
}

const textOf = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

/** What is typed for an instant, including which of two. */
function typedOf(time: string | number | null | undefined, zone: string): Typed {
  if (time == null) return { day: '', clock: '', isSecond: false };
  const at = new Date(time).getTime();
  const wall = wallTime(at, zone);
  const [day, clock] = wall.split('T');
  return { day, clock, isSecond: (instantsOf(wall, zone)?.findIndex((instant) => instant > at - 60_000) ?? 0) > 0 };
}

type TimeFault = 'noDay' | 'noClock' | 'gap' | 'past' | 'far' | 'order';

interface ReadTime {
  readonly typed: Typed;
  readonly at: number | undefined;
  /** If the clock shows this time twice, both instants. */
  readonly both: readonly [number, number] | undefined;
  readonly fault: TimeFault | undefined;
}

function readTime(typed: Typed, zone: string): ReadTime {
  const [first, second] = instantsOf(`${typed.day}T${typed.clock}`, zone) ?? [];
  const at = typed.isSecond ? (second ?? first) : first;
  const both = first === undefined || second === undefined ? undefined : ([first, second] as const);
  return { typed, at, both, fault: faultOf(typed, at) };
}

function faultOf({ day, clock }: Typed, at: number | undefined): TimeFault | undefined {
  if (day === '' && clock === '') return undefined;
  if (!day) return 'noDay';
  if (!clock) return 'noClock';
  if (at === undefined) return 'gap';
  const now = Date.now();
  return at <= now ? 'past' : at > now + yearMs ? 'far' : undefined;
}

interface TimeFieldProps {
  /** Of the day. */
  readonly label: string;
  readonly clockLabel: string;
  readonly hint?: string;
  readonly time: ReadTime;
  readonly fault: TimeFault | undefined;
  readonly zone: string;
  readonly onChange: (typed: Typed) => void;
}

/** A day and a time of day in the zone of this browser, with its UTC. A time that comes twice is chosen. */
function TimeField({ label, clockLabel, hint, time, fault, zone, onChange }: TimeFieldProps) {
  const r = useReleaseTexts();
  const language = useLanguage();
  const { typed, at, both } = time;
  const [today, last] = [dayText(new Date()), dayText(new Date(Date.now() + yearMs))];
  const change = (next: Partial<Typed>) => onChange({ ...typed, ...next, isSecond: false });
  /** A first day comes with a time, which is rarely midnight; no day has none. */
  const changeDay = (day: string | undefined) =>
    change(day === '' ? { day, clock: '' } : { day, ...(typed.clock === '' && { clock: firstClock }) });
  return (
    <div>
      <Field label={label} fault={fault && r[fault]} hint={at === undefined ? hint : formatCheck(at)}>
        {({ id, ...attributes }) => (
          <div className="day-and-time">
            <DayField {...attributes} id={id} min={today} max={last} value={typed.day ?? ''} onChange={changeDay} />
            <TypedInput
              {...attributes}
              aria-label={clockLabel}
              placeholder={clockInWords(firstClock, language)}
              value={typed.clock ?? ''}
              inWords={(clock) => clockInWords(clock, language)}
              read={readClock}
              onChange={(clock) => change({ clock })}
            />
            <span className="zone">{zone}</span>
          </div>
        )}
      </Field>
      {both !== undefined && (
        <div className="field">
          <p className="hint">{r.twice}</p>
          <Segments
            label={r.twice}
            value={typed.isSecond ? 'second' : 'first'}
            options={bothOptions(r, both)}
            onChange={(which) => onChange({ ...typed, isSecond: which === 'second' })}
          />
        </div>
      )}
    </div>
  );
}

const firstClock = '09:00';

const bothOptions = (r: ReleaseTexts, [first, second]: readonly [number, number]) =>
  [
    { value: 'first', label: r.first(formatUtc(first)) },
    { value: 'second', label: r.second(formatUtc(second)) },
  ] as const;
