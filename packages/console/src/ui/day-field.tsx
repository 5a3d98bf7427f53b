/** A day, typed or chosen from a month. */
import { Popover } from '@base-ui/react/popover';
import { Calendar } from 'lucide-react';
import { useState } from 'react';
import { textsOf, useLanguage } from '../texts/index.ts';
import { dayText } from './local-day.ts';
import { Month } from './month.tsx';
import { TypedInput, type TypedInputProps } from './typed-input.tsx';
import { dayInWords, readDay } from './typed-time.ts';
import './menu.css';
import './day-field.css';

const [useDayTexts] = textsOf('days');

interface DayFieldProps extends Omit<TypedInputProps, 'inWords' | 'read' | 'min' | 'max'> {
  /** The first and the last day that can be chosen. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

export function DayField({ value, min, max, onChange, ...rest }: DayFieldProps) {
  const d = useDayTexts();
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const [field, setField] = useState<HTMLElement | null>(null);
  return (
    <span className="day-field-input" ref={setField}>
      <TypedInput
        {...rest}
        value={value}
        placeholder={dayInWords(dayText(new Date()), language)}
        inWords={(day) => dayInWords(day, language)}
        read={(text) => readDay(text, language)}
        onChange={onChange}
      />
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="button quiet icon-only" aria-label={d.choose} title={d.choose}>
          <Calendar />
        </Popover.Trigger>
        {/* Above every part of the page or the dialog, but still within. */}
        <Popover.Portal container={field?.closest<HTMLElement>('.dialog, #content') ?? null}>
          <Popover.Positioner
            anchor={field}
            positionMethod="fixed"
            sideOffset={4}
            align="start"
            className="menu-positioner"
          >
            <Popover.Popup className="menu" aria-label={d.choose} initialFocus={() => chosenIn(field)}>
              <Month
                value={value}
                min={min}
                max={max}
                onChoose={(day) => {
                  setOpen(false);
                  onChange(day);
                }}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </span>
  );
}

/** The day that has the focus first. */
const chosenIn = (field: HTMLElement | null): HTMLElement | null =>
  (field?.closest('.dialog, #content') ?? document).querySelector<HTMLElement>('.month [tabindex="0"]');
