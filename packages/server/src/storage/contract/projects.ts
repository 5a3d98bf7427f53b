/**
 * The record of a project. `projectFields` lists what can be set in one. The table, its statements, audit entries, copies between engines,
 * and the checks of imports and of `holdfast doctor` follow from it.
 */
import { type Environment, flagsChecks, type HistorySetting } from '@holdfast/contract';
import { json, type ProjectField, text, word } from './project-field.ts';

/** Names a project: slugs are unique in their account. */
export interface ProjectKey {
  readonly accountId: string;
  readonly slug: string;
}

export type RequiredApprovals = Readonly<Record<Environment, number>>;

/** In the order of their migrations. */
export const projectFields = {
  /** Every project is created with one. */
  name: text({ column: 'name', default: '' }),
  protectedEnvironments: json<readonly Environment[]>({
    column: 'protected_environments',
    since: 2,
    default: [],
    isAccess: true,
  }),
  flagsCheck: word(flagsChecks, { column: 'flags_check', since: 14, default: 'off', isAccess: true }),
  /** Which versions of public state are kept; null: all of them. */
  publicStateHistory: json<HistorySetting | null>({
    column: 'public_state_history',
    since: 15,
    default: null,
    isNullable: true,
  }),
  /** How many people must approve a proposal; where it is 0, public state is written without one. */
  requiredApprovals: json<RequiredApprovals>({
    column: 'required_approvals',
    since: 24,
    default: { development: 0, staging: 0, production: 0 },
    isNullable: true,
    isAccess: true,
  }),
};

export type ProjectFieldName = keyof typeof projectFields;
type Value<Field> = Field extends ProjectField<infer Of> ? Of : never;
type ProjectFields = { readonly [Name in ProjectFieldName]: Value<(typeof projectFields)[Name]> };

export interface Project extends ProjectKey, ProjectFields {
  readonly createdAt: number;
}

/** Changes to a project. Omitted fields stay as they are. */
export type ProjectChanges = Partial<Omit<ProjectFields, 'requiredApprovals'>> & {
  /** Other environments stay as they are. */
  readonly requiredApprovals?: Partial<RequiredApprovals>;
};

/** The fields with their names. */
export const namedProjectFields = Object.entries(projectFields) as readonly [ProjectFieldName, ProjectField<unknown>][];

/** The values of a new project. */
export const projectDefaults = Object.fromEntries(
  namedProjectFields.map(([name, declared]) => [name, declared.default]),
) as unknown as ProjectFields;

/** Returns the project with these changes. */
export const changedProject = (project: Project, changes: ProjectChanges): Project => ({
  ...project,
  ...changes,
  requiredApprovals: { ...project.requiredApprovals, ...changes.requiredApprovals },
});

/** Which projects a caller may delete, besides those that nothing protects. */
export interface DeletionRights {
  /** Projects in which changes of an environment need approvals. */
  readonly withApprovals: boolean;
  /** Projects with protected environments. */
  readonly withProtection: boolean;
}

/** Returns why this project may not be deleted, or undefined: deleted and created again, it would need neither. */
export function deletionObstacle(
  { requiredApprovals, protectedEnvironments }: Project,
  { withApprovals, withProtection }: DeletionRights,
): 'needs_approvals' | 'is_protected' | undefined {
  if (!withApprovals && Object.values(requiredApprovals).some((number) => number > 0)) return 'needs_approvals';
  return withProtection || protectedEnvironments.length === 0 ? undefined : 'is_protected';
}
