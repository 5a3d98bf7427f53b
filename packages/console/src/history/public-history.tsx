/** How many versions of public state are kept, and for how long. */
import { historyDaysMax, historyVersionsMax, type ProjectBody } from '@holdfast/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { baseUrl } from '../api/addresses.ts';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useTexts } from '../texts/index.ts';
import { usePublicHistoryTexts } from '../texts/public-history.ts';
import { useAction } from '../ui/action.ts';
import { Button, Notice, Segments } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';

type Setting = ProjectBody['publicStateHistory'];
const suggested = { versions: 500, days: 90 };

/** A setting that keeps less than the current one, for some document. */
const keepsLess = (next: Setting, now: Setting): boolean =>
  next !== null && (now === null || next.versions < now.versions || next.days < now.days);

/** The typed number; undefined if invalid or out of bounds. */
function numberIn(text: string, max: number): number | undefined {
  return /^[0-9]{1,4}$/.test(text.trim()) && Number(text) <= max ? Number(text) : undefined;
}

interface Typed {
  readonly versions: string;
  readonly days: string;
}

/** The typed values: each number, undefined if invalid, and the setting, undefined if a number is missing. */
function settingIn(typed: Typed | null) {
  if (typed === null) return { versions: undefined, days: undefined, next: null };
  const versions = numberIn(typed.versions, historyVersionsMax);
  const days = numberIn(typed.days, historyDaysMax);
  return { versions, days, next: versions === undefined || days === undefined ? undefined : { versions, days } };
}

function Bounds(props: {
  typed: Typed;
  versions: number | undefined;
  days: number | undefined;
  onChange: ((next: Typed) => void) | undefined;
}) {
  const h = usePublicHistoryTexts();
  const { typed, versions, days, onChange } = props;
  return (
    <>
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
      <Notice kind="warn">{h.warning}</Notice>
    </>
  );
}

export function PublicHistory({ project }: { project: ProjectBody }) {
  const t = useTexts();
  const h = usePublicHistoryTexts();
  const queries = useQueryClient();
  const { accountId, slug, publicStateHistory: now } = project;
  const isManager = may(useAuthority(), 'manage');
  const [draft, setDraft] = useState<Typed | null>();
  const [isAsking, setAsking] = useState(false);
  const typed = draft === undefined ? now && { versions: String(now.versions), days: String(now.days) } : draft;
  const { versions, days, next } = settingIn(typed);
  const isChanged = next !== undefined && JSON.stringify(next) !== JSON.stringify(now);
  const write = async () => {
    if (next === undefined) return;
    await call('updateProject', { params: { accountId, slug }, body: { publicStateHistory: next } });
    await queries.invalidateQueries(projectsQuery(accountId));
    setDraft(undefined);
    toast(h.saved);
  };
  const save = useAction(async () => {
    if (!isChanged) return;
    if (keepsLess(next, now)) setAsking(true);
    else await write();
  });
  return (
    <section className="card public-history">
      <h2>{h.title}</h2>
      <p className="hint">{h.text}</p>
      <Form action={save}>
        <Segments
          label={h.title}
          value={typed === null ? 'all' : 'some'}
          options={[
            { value: 'all', label: h.all },
            { value: 'some', label: h.some },
          ]}
          onChange={(value) =>
            isManager &&
            setDraft(value === 'all' ? null : { versions: String(suggested.versions), days: String(suggested.days) })
          }
        />
        {typed !== null && (
          <Bounds typed={typed} versions={versions} days={days} onChange={isManager ? setDraft : undefined} />
        )}
        <Fault error={save.fault} />
        <Button type="submit" isBusy={save.isBusy} disabled={!isManager || !isChanged}>
          {t.common.save}
        </Button>
      </Form>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
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
        onConfirm={write}
      />
    </section>
  );
}
