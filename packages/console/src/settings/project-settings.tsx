/** The project: name, protected environments, required approvals, and deletion. */
import { nameCharactersMax, type ProjectBody, type UpdateProjectBody } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { PublicHistory } from '../history/public-history.tsx';
import { ChangeableWith } from '../shell/not-allowed.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { useProject } from '../shell/route-params.ts';
import { formatDate, type Texts, useTexts } from '../texts/index.ts';
import { PageHeader } from '../ui/controls.tsx';
import { DangerZone } from '../ui/danger-zone.tsx';
import { Fact, Facts, IdFact } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { toast } from '../ui/toasts.tsx';
import { FlagsCheck } from './flags-check.tsx';
import { ProtectedEnvironments } from './protected-environments.tsx';
import { RequiredApprovals } from './required-approvals.tsx';
import { TextSetting } from './text-setting.tsx';

export function ProjectSettingsPage() {
  const t = useTexts();
  const params = useProject();
  const { accountId, slug } = params;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const project = useQuery({ ...projectsQuery(accountId), select: (all) => all.find((one) => one.slug === slug) ?? null });
  if (project.data === null) return <NotFound />;
  return (
    <div className="page narrow">
      <PageHeader title={t.settings.title} />
      <ChangeableWith power="manage">
        <Loaded query={project} rows={5}>
          {(record) => (
            <>
              <section className="card">
                <h2>{t.settings.general}</h2>
                <ProjectText
                  project={record}
                  field="name"
                  charactersMax={nameCharactersMax}
                  empty="refused"
                  done={t.settings.renamed}
                />
                <Facts>
                  <IdFact name={t.settings.slug} id={slug} hint={t.settings.slugHint} />
                  <Fact name={t.account.since}>{formatDate(record.createdAt)}</Fact>
                </Facts>
              </section>
              <ProtectedEnvironments project={record} />
              <RequiredApprovals project={record} />
              <FlagsCheck project={record} />
              <PublicHistory project={record} />
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

type Labelled = keyof Texts['settings']['fields'] & keyof UpdateProjectBody;
/** The names of fields that hold a text, or a text or null. */
type TextName = { [Name in Labelled]: ProjectBody[Name] extends string | null ? Name : never }[Labelled];

interface ProjectTextProps<Name extends TextName> {
  readonly project: ProjectBody;
  readonly field: Name;
  readonly charactersMax: number;
  /** The value that an empty text is saved as. */
  readonly empty: null extends ProjectBody[Name] ? null : '' | 'refused';
  /** The message after a change, if there is a better one than of any setting. */
  readonly done?: string;
}

/** A text of the project. */
function ProjectText<Name extends TextName>({ project, field, charactersMax, empty, done }: ProjectTextProps<Name>) {
  const t = useTexts();
  const queries = useQueryClient();
  const { accountId, slug } = project;
  return (
    <TextSetting
      label={t.settings.fields[field]}
      text={project[field] ?? ''}
      charactersMax={charactersMax}
      isRequired={empty === 'refused'}
      done={done ?? t.settings.saved}
      onChange={async (next) => {
        await call('updateProject', { params: { accountId, slug }, body: { [field]: next === '' ? empty : next } });
        await queries.invalidateQueries(projectsQuery(accountId));
      }}
    />
  );
}
