/** The dialog that creates a project. */
import { slugCharactersMax, slugPattern } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { baseUrl } from '../api/addresses.ts';
import { rememberEnvironment } from '../api/environments.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';

/** Suggests a slug for a name. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, slugCharactersMax)
    .replaceAll(/^-|-$/g, '');

export function NewProject({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts();
  const accountId = useAccountId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [typedSlug, setSlug] = useState<string>();
  const slug = typedSlug ?? slugOf(name);
  const isMalformed = slug !== '' && (slug.length > slugCharactersMax || !slugPattern.test(slug));
  const isReady = slug !== '' && !isMalformed;
  const create = useAction(async () => {
    if (!isReady) return;
    const body = { slug, ...(name.trim() !== '' && { name: name.trim() }) };
    await call('createProject', { params: { accountId }, body });
    await queries.invalidateQueries(projectsQuery(accountId));
    rememberEnvironment('development');
    await navigate({ to: '/p/$slug/connect', params: { slug } });
  });
  const isTaken = create.fault instanceof ApiError && create.fault.code === 'already_exists';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.projects.newTitle}>
      <Form action={create}>
        <TextField label={t.projects.name} hint={t.projects.nameHint} value={name} onChange={setName} maxLength={200} />
        <TextField
          label={t.projects.slug}
          hint={
            <>
              {t.projects.slugHint}
              {isReady && <code className="slug-address">{`${baseUrl}/v1/${accountId}/projects/${slug}`}</code>}
            </>
          }
          fault={isTaken ? t.projects.taken : isMalformed ? t.projects.slugFault : undefined}
          className="mono"
          value={slug}
          onChange={setSlug}
          spellCheck={false}
          required
        />
        {!isTaken && <Fault error={create.fault} />}
        <FormEnd action={create} label={t.common.create} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
