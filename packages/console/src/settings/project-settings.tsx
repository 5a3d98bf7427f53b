/** The project: name, protected environments, required approvals, kept versions, and deletion. One bar saves them; the check of flags changes at once. */
import type { ProjectBody, UpdateProjectBody } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { ChangeableWith } from '../page/not-allowed.tsx';
import { NotFound } from '../page/not-found.tsx';
import { useProject } from '../page/route-params.ts';
import { formatDate, textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { DangerZone } from '../ui/danger-zone.tsx';
import { Fact, Facts, IdFact } from '../ui/facts.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { Setting } from '../ui/setting.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';
import { FlagsCheck } from './flags-check.tsx';
import { KeepFewer, KeptVersions } from './kept-versions.tsx';
import { ProtectedEnvironments } from './protected-environments.tsx';
import { RequiredApprovals } from './required-approvals.tsx';
import {
  changesOf,
  isValidText,
  type SettingsDraft,
  type SettingsField,
  textSettingNames,
  textSettings,
} from './settings-draft.ts';
import './project-settings.css';

const [useKeptVersionsTexts] = textsOf('kept-versions');
const [useReleaseTexts] = textsOf('releases');

export function ProjectSettingsPage() {
  const t = useTexts();
  const params = useProject();
  const { accountId, slug } = params;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const project = useQuery({ ...projectsQuery(accountId), select: (all) => all.find((one) => one.slug === slug) ?? null });
  if (project.data === null) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={t.settings.title} />
      <ChangeableWith power="manage">
        <Loaded query={project} rows={5}>
          {(record) => (
            <>
              <Settings key={slug} project={record} />
              <DangerZone
                title={t.settings.danger}
                text={t.settings.dangerText}
                action={t.settings.danger}
                typed={slug}
                onConfirm={async () => {
                  await call('deleteProject', { params });
                  toast(t.settings.deleted);
                  await navigate({ to: '/' });
                  await queries.invalidateQueries(projectsQuery(accountId));
                }}
              />
            </>
          )}
        </Loaded>
      </ChangeableWith>
    </div>
  );
}

function Settings({ project }: { project: ProjectBody }) {
  const t = useTexts();
  const h = useKeptVersionsTexts();
  const [draft, setDraft] = useState<SettingsDraft>({});
  const [isAsking, setAsking] = useState(false);
  const changes = changesOf(project, draft);
  const { body, fields, isValid, isDeleting } = changes;
  const names = useNames()(fields);
  const write = useWrite(project);
  const saveAll = async () => {
    await write(changes, names);
    setDraft({});
  };
  const save = useAction(async () => {
    if (fields.length === 0 || !isValid) return;
    if (isDeleting) setAsking(true);
    else await saveAll();
  });
  const change = (part: SettingsDraft) => setDraft({ ...draft, ...part });
  return (
    <Form action={save}>
      <General project={project} draft={draft} onChange={change} />
      <ProtectedEnvironments
        chosen={draft.protectedEnvironments ?? project.protectedEnvironments}
        onChange={(protectedEnvironments) => change({ protectedEnvironments })}
      />
      <RequiredApprovals
        stored={project.requiredApprovals}
        chosen={draft.requiredApprovals ?? {}}
        onChange={(requiredApprovals) => change({ requiredApprovals })}
      />
      <FlagsCheck project={project} />
      <KeptVersions
        now={project.publicStateHistory}
        typed={draft.publicStateHistory}
        isDeleting={isDeleting}
        onChange={(publicStateHistory) => change({ publicStateHistory })}
      />
      <Fault error={save.fault} />
      {fields.length > 0 && (
        <SaveBar
          text={t.settings.unsaved(names)}
          action={save}
          {...(isDeleting && {
            kind: 'danger',
            label: fields.length === 1 ? h.keepFewer : h.saveAndKeepFewer,
          })}
          isReady={isValid}
          onDiscard={() => setDraft({})}
        />
      )}
      <KeepFewer isOpen={isAsking} next={body.publicStateHistory} onClose={() => setAsking(false)} onConfirm={saveAll} />
    </Form>
  );
}

/** Returns the names of settings, in a line. */
function useNames(): (fields: readonly SettingsField[]) => string {
  const t = useTexts();
  const r = useReleaseTexts();
  const h = useKeptVersionsTexts();
  const names = { ...t.settings.fields, requiredApprovals: r.required, publicStateHistory: h.title };
  return (fields) => fields.map((field) => names[field]).join(', ');
}

/** Saves changes and says so, with an undo button if they can be undone: deleted versions stay deleted, and only owners lower approvals. */
function useWrite({ accountId, slug }: ProjectBody) {
  const t = useTexts();
  const queries = useQueryClient();
  const isOwner = useAuthority()?.role === 'owner';
  const set = async (body: UpdateProjectBody, names: string) => {
    await call('updateProject', { params: { accountId, slug }, body });
    await queries.invalidateQueries(projectsQuery(accountId));
    return t.settings.savedOf(names);
  };
  return async ({ body, before, isDeleting }: ReturnType<typeof changesOf>, names: string) => {
    const said = await set(body, names);
    const isUndoable =
      !isDeleting && body.publicStateHistory === undefined && (isOwner || body.requiredApprovals === undefined);
    toast(said, isUndoable ? { action: undo(() => set(before, names)) } : {});
  };
}

interface GeneralProps {
  readonly project: ProjectBody;
  readonly draft: SettingsDraft;
  readonly onChange: (part: SettingsDraft) => void;
}

function General({ project, draft, onChange }: GeneralProps) {
  const t = useTexts();
  return (
    <Setting title={t.settings.general} text={t.settings.generalText}>
      {textSettingNames.map((field) => {
        const typed = draft[field];
        return (
          <TextField
            key={field}
            label={t.settings.fields[field]}
            value={typed ?? project[field] ?? ''}
            fault={typed === undefined || isValidText(field, typed) ? undefined : t.settings.faults[field]}
            onChange={(text) => onChange({ [field]: text })}
            maxLength={textSettings[field].charactersMax}
            required={!isValidText(field, '')}
          />
        );
      })}
      <Facts>
        <IdFact name={t.settings.slug} id={project.slug} hint={t.settings.slugHint} />
        <Fact name={t.account.since}>{formatDate(project.createdAt)}</Fact>
      </Facts>
    </Setting>
  );
}
