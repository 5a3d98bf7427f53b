/** The API keys of a project. */
import {
  type ApiKeyBody,
  environments as allEnvironments,
  type CreateApiKeyBody,
  type CreatedApiKeyBody,
  type Environment,
} from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { addressOf, call, send } from '../api/http.ts';
import { keysQuery, type ProjectKey } from '../api/queries.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useAccountId } from '../shell/session.tsx';
import { formatAgo, formatDate, formatTime, useTexts } from '../texts/index.ts';
import {
  Button,
  CopyButton,
  EmptyState,
  EnvironmentName,
  Field,
  Notice,
  PageHeader,
  Segments,
  Skeleton,
} from '../ui/controls.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { useTitle } from '../ui/title.ts';
import { toast } from '../ui/toasts.tsx';

export function KeysPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const { slug } = useParams({ from: '/shell/p/$slug/keys' });
  const { create } = useSearch({ from: '/shell/p/$slug/keys' });
  const navigate = useNavigate();
  useTitle(`${t.keys.title} · ${slug}`);
  const project = { accountId, slug };
  const keys = useQuery(keysQuery(project));
  const [revoking, setRevoking] = useState<ApiKeyBody>();
  const show = (isOpen: boolean) =>
    void navigate({ to: '/p/$slug/keys', params: { slug }, search: isOpen ? { create: true } : {}, replace: !isOpen });
  const newButton = (
    <Button kind="primary" icon={<Plus />} onClick={() => show(true)}>
      {t.keys.new}
    </Button>
  );
  if (isMissing(keys.error)) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={t.keys.title} lead={t.keys.lead}>
        {keys.data?.length !== 0 && newButton}
      </PageHeader>
      <Fault error={keys.error} onRetry={() => void keys.refetch()} />
      {keys.isPending && <Skeleton rows={5} />}
      {keys.data?.length === 0 && (
        <EmptyState icon={<KeyRound />} title={t.keys.empty} action={newButton}>
          {t.keys.emptyText}
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.length > 0 && (
        <ul className="rows">
          {keys.data.map((key) => (
            <KeyRow key={key.id} record={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      )}
      {create && <NewKey project={project} onClose={() => show(false)} />}
      <RevokeKey project={project} record={revoking} onClose={() => setRevoking(undefined)} />
    </div>
  );
}

function KeyRow({ record, onRevoke }: { record: ApiKeyBody; onRevoke: () => void }) {
  const t = useTexts();
  const { name, kind, start, access, environments, lastUsedAt, expiresAt, createdAt } = record;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) < Date.now();
  return (
    <li className="row">
      <div className="row-main">
        <b>
          <bdi>{name}</bdi>
        </b>
        <code>{start}…</code>
      </div>
      <div className="row-badges">
        {kind === 'publishable' ? (
          <span className="badge accent">{t.keys.publishable}</span>
        ) : (
          <span className="badge">{access === 'write' ? t.keys.write : t.keys.read}</span>
        )}
        {environments.length === allEnvironments.length ? (
          <span className="badge">{t.keys.allEnvironments}</span>
        ) : (
          environments.map((env) => (
            <span className="badge" key={env}>
              <EnvironmentName env={env} />
            </span>
          ))
        )}
        {isExpired && <span className="badge bad">{t.keys.expired}</span>}
      </div>
      <dl className="row-facts">
        <div>
          <dt>{t.keys.lastUsed}</dt>
          <dd title={lastUsedAt === null ? undefined : formatTime(lastUsedAt)}>
            {lastUsedAt === null ? t.common.never : formatAgo(lastUsedAt)}
          </dd>
        </div>
        <div>
          <dt>{t.keys.created}</dt>
          <dd>{formatDate(createdAt)}</dd>
        </div>
        <div>
          <dt>{t.keys.expires}</dt>
          <dd>{expiresAt === null ? t.common.never : formatDate(expiresAt)}</dd>
        </div>
      </dl>
      <Button kind="danger" size="small" onClick={onRevoke} aria-label={t.keys.revokeTitle(name)}>
        {t.keys.revoke}
      </Button>
    </li>
  );
}

function RevokeKey(props: { project: ProjectKey; record: ApiKeyBody | undefined; onClose: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { project, record, onClose } = props;
  return (
    <Confirm
      isOpen={record !== undefined}
      onClose={onClose}
      title={t.keys.revokeTitle(record?.name ?? '')}
      text={t.keys.revokeText}
      action={t.keys.revoke}
      onConfirm={async () => {
        const parameters = { ...project, keyId: record?.id ?? '' };
        await send('DELETE', addressOf('/v1/{accountId}/projects/{slug}/api-keys/{keyId}', parameters));
        await queries.invalidateQueries({ queryKey: keysQuery(project).queryKey });
        toast(t.keys.revoked);
      }}
    />
  );
}

const lifetimes = [30, 90, 365] as const;

/** Creates a key and returns it with its text. */
export function createKey({ accountId, slug }: ProjectKey, body: CreateApiKeyBody): Promise<CreatedApiKeyBody> {
  return call('POST', addressOf('/v1/{accountId}/projects/{slug}/api-keys', { accountId, slug }), { body });
}

function NewKey({ project, onClose }: { project: ProjectKey; onClose: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'secret' | 'publishable'>('secret');
  const [access, setAccess] = useState<'write' | 'read'>('write');
  const [environments, setEnvironments] = useState<readonly Environment[]>(allEnvironments);
  const [days, setDays] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const [created, setCreated] = useState<CreatedApiKeyBody>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || name.trim() === '' || environments.length === 0) return;
    setBusy(true);
    setFault(undefined);
    try {
      const expiresAt = days === 0 ? null : new Date(Date.now() + days * 86_400_000).toISOString();
      const right = kind === 'publishable' ? 'read' : access;
      setCreated(
        await createKey(project, { name: name.trim(), kind, access: right, environments: [...environments], expiresAt }),
      );
      await queries.invalidateQueries({ queryKey: keysQuery(project).queryKey });
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  if (created !== undefined) return <ShownOnce apiKey={created.apiKey} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={t.keys.newTitle}>
      <form onSubmit={(event) => void submit(event)}>
        <Field label={t.keys.name} hint={t.keys.nameHint}>
          {(attributes) => (
            <input
              {...attributes}
              value={name}
              onChange={(event) => setName(event.target.value)}
              maxLength={200}
              required
              autoComplete="off"
            />
          )}
        </Field>
        <div className="field">
          <span className="label">{t.keys.kind}</span>
          <div className="choices">
            {(['secret', 'publishable'] as const).map((value) => (
              <label key={value} className="choice" data-chosen={kind === value || undefined}>
                <input type="radio" name="kind" checked={kind === value} onChange={() => setKind(value)} />
                <span>
                  <b>{t.keys[value]}</b>
                  <small>{value === 'secret' ? t.keys.secretHint : t.keys.publishableHint}</small>
                </span>
              </label>
            ))}
          </div>
        </div>
        {kind === 'secret' && (
          <div className="field">
            <span className="label">{t.keys.access}</span>
            <Segments
              label={t.keys.access}
              value={access}
              onChange={setAccess}
              options={[
                { value: 'write', label: t.keys.write },
                { value: 'read', label: t.keys.read },
              ]}
            />
          </div>
        )}
        <fieldset className="field checks">
          <legend>{t.keys.environments}</legend>
          {allEnvironments.map((env) => (
            <label key={env} className="check">
              <input
                type="checkbox"
                checked={environments.includes(env)}
                onChange={({ target }) =>
                  setEnvironments(
                    allEnvironments.filter((one) => (one === env ? target.checked : environments.includes(one))),
                  )
                }
              />
              <EnvironmentName env={env} />
            </label>
          ))}
          {environments.length === 0 && <p className="fault">{t.keys.chooseOne}</p>}
        </fieldset>
        <Field label={t.keys.expires}>
          {(attributes) => (
            <select {...attributes} value={days} onChange={(event) => setDays(Number(event.target.value))}>
              <option value={0}>{t.keys.neverExpires}</option>
              {lifetimes.map((one) => (
                <option key={one} value={one}>
                  {t.keys.days(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Fault error={fault} />
        <div className="form-actions">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={name.trim() === '' || environments.length === 0}>
            {t.common.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function ShownOnce({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  const t = useTexts();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isFirm
      title={t.keys.shownOnce}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t.keys.done}
        </Button>
      }
    >
      <Notice>{t.keys.shownOnceText}</Notice>
      <div className="secret">
        <code>{apiKey}</code>
        <CopyButton text={apiKey} />
      </div>
    </Dialog>
  );
}
