/** Creates a service account: its authority, and its secret, shown once. */
import { type ServiceAccountRole, serviceAccountRoles } from '@holdfast/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Authority, Given } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { type CreatedServiceAccount, serviceAccountsQuery } from '../api/team.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ExpiryField, expiryIn } from '../ui/expiry-field.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { AuthorityFields, leastAuthority } from './authority.tsx';

const [useServiceAccountTexts] = textsOf('service-accounts');

interface NewServiceAccountProps {
  readonly accountId: string;
  readonly own: Authority;
  readonly onClose: () => void;
}

export function NewServiceAccount({ accountId, own, onClose }: NewServiceAccountProps) {
  const t = useTexts();
  const st = useServiceAccountTexts();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [authority, setAuthority] = useState<Given<ServiceAccountRole>>(() => leastAuthority('editor', own));
  const [days, setDays] = useState(90);
  const [created, setCreated] = useState<CreatedServiceAccount>();
  const isReady = name.trim() !== '' && authority.environments?.length !== 0;
  const create = useAction(async () => {
    if (!isReady) return;
    const body = { name: name.trim(), ...authority, expiresAt: expiryIn(days) };
    setCreated(await call('createServiceAccount', { params: { accountId }, body }));
    await queries.invalidateQueries(serviceAccountsQuery(accountId));
  });
  if (created !== undefined) return <SecretShownOnce id={created.id} secret={created.clientSecret} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={st.newTitle}>
      <Form action={create}>
        <TextField label={st.name} hint={st.nameHint} value={name} onChange={setName} maxLength={200} required />
        <AuthorityFields
          roles={serviceAccountRoles}
          value={authority}
          onChange={(next) => setAuthority(next.role === authority.role ? next : leastAuthority(next.role, own))}
          {...(own.environments && { offered: own.environments })}
        />
        <ExpiryField days={days} onChange={setDays} />
        <Fault error={create.fault} />
        <FormEnd action={create} label={t.common.create} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** The id and secret with which a program gets tokens. */
export function SecretShownOnce({ id, secret, onClose }: { id: string; secret: string; onClose: () => void }) {
  const st = useServiceAccountTexts();
  return (
    <ShownOnce
      title={st.shownOnce}
      text={st.shownOnceText}
      secrets={[
        { name: st.id, text: id },
        { name: st.secret, text: secret },
      ]}
      done={st.done}
      onClose={onClose}
    />
  );
}
