/** The expiry of something new. */
import { useTexts } from '../texts/index.ts';
import { Field } from './controls.tsx';

const lifetimeDays = [30, 90, 365] as const;

/** Returns the time this many days from now; null for 0, which means never. */
export const expiryIn = (days: number): string | null =>
  days === 0 ? null : new Date(Date.now() + days * 86_400_000).toISOString();

export function ExpiryField({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  const t = useTexts();
  return (
    <Field label={t.keys.expires}>
      {(attributes) => (
        <select {...attributes} value={days} onChange={(event) => onChange(Number(event.target.value))}>
          <option value={0}>{t.keys.neverExpires}</option>
          {lifetimeDays.map((one) => (
            <option key={one} value={one}>
              {t.keys.days(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
