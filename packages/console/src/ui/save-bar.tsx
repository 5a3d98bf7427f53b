/** The bar at the end of a form that saves what has changed. It is shown only while there is something to save. */
import { useTexts } from '../texts/index.ts';
import type { Action } from './action.ts';
import { Button } from './controls.tsx';
import './save-bar.css';

interface SaveBarProps {
  /** Says what is not saved yet. */
  readonly text: string;
  readonly action: Action;
  /** The label of the submit button, unless it is “Save”. */
  readonly label?: string;
  readonly kind?: 'primary' | 'danger';
  readonly isReady?: boolean;
  readonly onDiscard: () => void;
}

export function SaveBar({ text, action, label, kind = 'primary', isReady = true, onDiscard }: SaveBarProps) {
  const t = useTexts();
  return (
    <div className="save-bar">
      <div className="form-actions">
        <span className="hint" role="status">
          {isReady ? text : t.settings.correct}
        </span>
        <Button onClick={onDiscard}>{t.state.discardShort}</Button>
        <Button kind={kind} type="submit" isBusy={action.isBusy} disabled={!isReady}>
          {label ?? t.common.save}
        </Button>
      </div>
    </div>
  );
}
