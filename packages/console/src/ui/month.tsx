/** A month of days to choose from. Arrow keys lead to other days, Home and End to those of a week, Page Up and Page Down to other months. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { textsOf, useLanguage } from '../texts/index.ts';
import { Button } from './controls.tsx';
import { dayOf, daysAfter, dayText, firstDayOf, monthsAfter } from './local-day.ts';

const [useDayTexts] = textsOf('days');

interface MonthProps {
  /** The chosen day, if any. */
  readonly value: string;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly onChoose: (day: string) => void;
}

const weekDays = 7;

export function Month({ value, min = '', max = '9999-12-31', onChoose }: MonthProps) {
  const d = useDayTexts();
  const language = useLanguage();
  const [focused, setFocused] = useState(() => within(dayOf(value) ?? new Date(), min, max));
  const table = useRef<HTMLTableElement>(null);
  const isMoved = useRef(false);
  useEffect(() => {
    if (isMoved.current) table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isMoved.current = false;
  });
  const firstDay = firstDayOf(language);
  const first = new Date(focused.getFullYear(), focused.getMonth(), 1);
  const start = startOfWeek(first, firstDay);
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: weekDays }, (_, day) => daysAfter(start, week * weekDays + day)),
  ).filter(([day]) => day !== undefined && (day <= first || day.getMonth() === first.getMonth()));
  const format = (date: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(date);
  const move = (event: KeyboardEvent) => {
    const next = keyed(event.key, focused, firstDay);
    if (next === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    setFocused(within(next, min, max));
  };
  const step = (months: number) => setFocused(within(monthsAfter(focused, months), min, max));
  return (
    <div className="month">
      <div className="month-head">
        <Button kind="quiet" icon={<ChevronLeft />} aria-label={d.previous} onClick={() => step(-1)} />
        <b aria-live="polite">{format(focused, { month: 'long', year: 'numeric' })}</b>
        <Button kind="quiet" icon={<ChevronRight />} aria-label={d.following} onClick={() => step(1)} />
      </div>
      <table ref={table} onKeyDown={move}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day.getDay()} scope="col" abbr={format(day, { weekday: 'long' })}>
                {format(day, { weekday: 'short' }).slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.getTime()}>
              {week.map((day) => {
                const text = dayText(day);
                return (
                  <td key={text}>
                    <button
                      type="button"
                      tabIndex={text === dayText(focused) ? 0 : -1}
                      aria-label={format(day, { dateStyle: 'full' })}
                      aria-pressed={text === value}
                      aria-current={text === dayText(new Date()) ? 'date' : undefined}
                      data-outside={day.getMonth() !== first.getMonth() || undefined}
                      disabled={text < min || text > max}
                      onClick={() => onChoose(text)}
                    >
                      {day.getDate()}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const startOfWeek = (day: Date, firstDay: number): Date =>
  daysAfter(day, -((day.getDay() - firstDay + 2 * weekDays) % weekDays));

/** The nearest day that can be chosen. */
function within(day: Date, min: string, max: string): Date {
  const text = dayText(day);
  return dayOf(text < min ? min : text > max ? max : text) ?? day;
}

/** Where a key leads to, if anywhere. */
function keyed(key: string, day: Date, firstDay: number): Date | undefined {
  const start = startOfWeek(day, firstDay);
  const days: Readonly<Record<string, Date>> = {
    ArrowLeft: daysAfter(day, -1),
    ArrowRight: daysAfter(day, 1),
    ArrowUp: daysAfter(day, -weekDays),
    ArrowDown: daysAfter(day, weekDays),
    Home: start,
    End: daysAfter(start, weekDays - 1),
    PageUp: monthsAfter(day, -1),
    PageDown: monthsAfter(day, 1),
  };
  return days[key];
}
