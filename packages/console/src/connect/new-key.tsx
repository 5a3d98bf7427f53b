/** Creates an API key: its access, and its text, shown once. */
import type { ApiKeyAccess, ApiKeyKind, CreateApiKeyBody, CreatedApiKeyBody, Environment } from '@holdfast/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/http.ts';
import { keysQuery, type ProjectKey } from '../api/queries.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Segments } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EnvironmentChecks } from '../ui/environment-checks.tsx';
import { ExpiryField, expiryIn } from '../ui/expiry-field.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';

export function NewKey({ project, onClose }: { project: ProjectKey; onClose: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<ApiKeyKind>('secret');
  const [access, setAccess] = useState<ApiKeyAccess>('read');
  const [chosen, setChosen] = useState<readonly Environment[]>(['development']);
  const [days, setDays] = useState(90);
  const [created, setCreated] = useState<CreatedApiKeyBody>();
  const isReady = name.trim() !== '' && chosen.length > 0;
  const create = useAction(async () => {
    if (!isReady) return;
    const body: CreateApiKeyBody = {
      name: name.trim(),
      kind,
      access: kind === 'publishable' ? 'read' : access,
      environments: [...chosen],
      expiresAt: expiryIn(days),
    };
    setCreated(await call('createApiKey', { params: project, body }));
    await queries.invalidateQueries(keysQuery(project));
  });
  if (created !== undefined) {
    return (
      <ShownOnce
        title={t.keys.shownOnce}
        text={created.kind === 'publishable' ? t.keys.shownAgainText : t.keys.shownOnceText}
        secrets={[{ name: t.keys.secret, text: created.apiKey }]}
        done={t.keys.done}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={t.keys.newTitle}>
      <Form action={create}>
        <TextField label={t.keys.name} hint={t.keys.nameHint} value={name} onChange={setName} maxLength={200} required />
        <KindChoice kind={kind} onChange={setKind} />
        {kind === 'secret' && (
          <div className="field">
            <span className="label">{t.keys.access}</span>
            <Segments
              label={t.keys.access}
              value={access}
              onChange={setAccess}
              options={[
                { value: 'read', label: t.keys.read },
                { value: 'write', label: t.keys.write },
              ]}
            />
          </div>
        )}
        <ExpiryField days={days} onChange={setDays} />
        <EnvironmentChecks label={t.keys.environments} chosen={chosen} onChange={setChosen} />
        <Fault error={create.fault} />
        <FormEnd action={create} label={t.common.create} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function KindChoice({ kind, onChange }: { kind: ApiKeyKind; onChange: (kind: ApiKeyKind) => void }) {
  const t = useTexts();
  return (
    <div className="field">
      <span className="label">{t.keys.kind}</span>
      <div className="choices">
        {(['secret', 'publishable'] as const).map((value) => (
          <label key={value} className="choice" data-chosen={kind === value || undefined}>
            <input type="radio" name="kind" checked={kind === value} onChange={() => onChange(value)} />
            <span>
              <b>{t.keys[value]}</b>
              <small>{value === 'secret' ? t.keys.secretHint : t.keys.publishableHint}</small>
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
