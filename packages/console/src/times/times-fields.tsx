/** The times at which a proposal is applied and undone: in the zone of this browser, and shown in UTC too. */
import { type ReactNode, useState } from 'react';
import type { Times } from '../api/proposals.ts';
import { textsOf, useLanguage } from '../texts/index.ts';
import type { ReleaseTexts } from '../texts/releases-en.ts';
import { Field, Segments } from '../ui/controls.tsx';
import { DayField } from '../ui/day-field.tsx';
import { dayText } from '../ui/local-day.ts';
import { TypedInput } from '../ui/typed-input.tsx';
import { clockInWords, readClock } from '../ui/typed-time.ts';
import { formatCheck, formatUtc } from './formats.ts';
import { ownZone } from './local-time.ts';
import {
  firstClock,
  type ReadTime,
  readTime,
  type TimeFault,
  type Typed,
  typedOf,
  withClock,
  withDay,
  yearMs,
} from './typed-times.ts';
import './times-fields.css';

const [useReleaseTexts] = textsOf('releases');

const hourMs = 3_600_000;

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
  const isNever = isNew && [apply, revert].every(({ at, fault }) => at === undefined && fault === undefined);
  const faults = [
    isNever ? ('needsDay' as const) : apply.fault,
    revert.fault ?? (isOrdered ? undefined : ('order' as const)),
  ] as const;
  const isGood = faults.every((fault) => fault === undefined);
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
  return (
    <div>
      <Field label={label} fault={fault && r[fault]} hint={at === undefined ? hint : formatCheck(at)}>
        {({ id, ...attributes }) => (
          <div className="day-and-time">
            <DayField
              {...attributes}
              id={id}
              min={today}
              max={last}
              value={typed.day ?? ''}
              onChange={(day) => onChange(withDay(typed, day))}
            />
            <TypedInput
              {...attributes}
              aria-label={clockLabel}
              placeholder={clockInWords(firstClock, language)}
              value={typed.clock ?? ''}
              inWords={(clock) => clockInWords(clock, language)}
              read={readClock}
              onChange={(clock) => onChange(withClock(typed, clock))}
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

const bothOptions = (r: ReleaseTexts, [first, second]: readonly [number, number]) =>
  [
    { value: 'first', label: r.first(formatUtc(first)) },
    { value: 'second', label: r.second(formatUtc(second)) },
  ] as const;
