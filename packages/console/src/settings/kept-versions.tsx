/** How many versions of public state are kept, and for how long. */
import { historyDaysMax, historyVersionsMax } from '@holdfast/contract';
import { baseUrl } from '../api/addresses.ts';
import { may, useAuthority } from '../api/authority.ts';
import { textsOf } from '../texts/index.ts';
import { Notice, Segments } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { TextField } from '../ui/form.tsx';
import { Setting } from '../ui/setting.tsx';
import { type KeptHistory, settingIn, type Typed } from './settings-draft.ts';

const [useKeptVersionsTexts] = textsOf('kept-versions');

const suggested = { versions: 500, days: 90 };

function Bounds(props: {
  typed: Typed;
  versions: number | undefined;
  days: number | undefined;
  onChange: ((next: Typed) => void) | undefined;
}) {
  const h = useKeptVersionsTexts();
  const { typed, versions, days, onChange } = props;
  return (
    <div className="field-pair">
      <TextField
        label={h.versions}
        inputMode="numeric"
        value={typed.versions}
        disabled={onChange === undefined}
        onChange={(text) => onChange?.({ ...typed, versions: text })}
        fault={versions === undefined ? h.number(historyVersionsMax) : undefined}
      />
      <TextField
        label={h.days}
        inputMode="numeric"
        value={typed.days}
        disabled={onChange === undefined}
        onChange={(text) => onChange?.({ ...typed, days: text })}
        fault={days === undefined ? h.number(historyDaysMax) : undefined}
      />
    </div>
  );
}

interface KeptVersionsProps {
  readonly now: KeptHistory;
  /** Undefined if nobody has changed anything. */
  readonly typed: Typed | null | undefined;
  /** Whether saving the choice deletes versions. */
  readonly isDeleting: boolean;
  readonly onChange: (typed: Typed | null) => void;
}

export function KeptVersions({ now, typed: draft, isDeleting, onChange }: KeptVersionsProps) {
  const h = useKeptVersionsTexts();
  const isManager = may(useAuthority(), 'manage');
  const typed = draft === undefined ? now && { versions: String(now.versions), days: String(now.days) } : draft;
  const { versions, days } = settingIn(typed);
  return (
    <Setting title={h.title} text={h.text} className="public-history">
      <Segments
        label={h.title}
        value={typed === null ? 'all' : 'some'}
        options={[
          { value: 'all', label: h.all },
          { value: 'some', label: h.some },
        ]}
        onChange={(value) =>
          isManager &&
          onChange(value === 'all' ? null : { versions: String(suggested.versions), days: String(suggested.days) })
        }
      />
      {typed !== null && (
        <Bounds typed={typed} versions={versions} days={days} onChange={isManager ? onChange : undefined} />
      )}
      {isDeleting && <Notice kind="warn">{h.warning}</Notice>}
    </Setting>
  );
}

interface KeepFewerProps {
  readonly isOpen: boolean;
  readonly next: KeptHistory | undefined;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks before versions are deleted. */
export function KeepFewer({ isOpen, next, onClose, onConfirm }: KeepFewerProps) {
  const h = useKeptVersionsTexts();
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={h.ask}
      text={
        <>
          {next && h.askText(next.versions, next.days)}{' '}
          <a href={`${baseUrl}/docs/backup#export-and-import`} target="_blank" rel="noreferrer">
            {h.export}
          </a>
        </>
      }
      action={h.delete}
      onConfirm={onConfirm}
    />
  );
}
