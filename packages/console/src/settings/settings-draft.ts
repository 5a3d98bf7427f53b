/** What is changed on the page of a project's settings, and not saved yet. */
import {
  type Environment,
  environments,
  nameCharactersMax,
  type ProjectBody,
  type UpdateProjectBody,
} from '@holdfast/contract';
import { keepsLess, settingIn, type Typed } from './kept-versions.tsx';

/** The fields that are saved together, as far as somebody has touched them. */
export interface SettingsDraft {
  readonly name?: string;
  readonly protectedEnvironments?: readonly Environment[];
  readonly requiredApprovals?: Partial<ProjectBody['requiredApprovals']>;
  /** Null keeps all versions. */
  readonly publicStateHistory?: Typed | null;
}

export type SettingsField = keyof SettingsDraft;

export interface SettingsChanges {
  readonly body: UpdateProjectBody;
  /** Restores the fields of `body`. */
  readonly before: UpdateProjectBody;
  /** Those that differ from what is saved, in the order of the page. */
  readonly fields: readonly SettingsField[];
  /** Whether every one of them can be saved. */
  readonly isValid: boolean;
  /** Whether versions of some document are deleted. */
  readonly isDeleting: boolean;
}

/** Returns how a draft differs from the saved project. */
export function changesOf(project: ProjectBody, draft: SettingsDraft): SettingsChanges {
  const name = draft.name?.trim() ?? project.name;
  const protectedOnes = draft.protectedEnvironments ?? project.protectedEnvironments;
  const approvals = environments.filter(
    (env) => (draft.requiredApprovals?.[env] ?? stored(project, env)) !== stored(project, env),
  );
  const now = project.publicStateHistory;
  const history = draft.publicStateHistory === undefined ? now : settingIn(draft.publicStateHistory).next;
  const body: UpdateProjectBody = {
    ...(name !== project.name && { name }),
    ...(inOrder(protectedOnes).join() !== inOrder(project.protectedEnvironments).join() && {
      protectedEnvironments: inOrder(protectedOnes),
    }),
    ...(approvals.length > 0 && {
      requiredApprovals: Object.fromEntries(approvals.map((env) => [env, draft.requiredApprovals?.[env]])),
    }),
    ...(JSON.stringify(history) !== JSON.stringify(now) && { publicStateHistory: history ?? null }),
  };
  const isHistoryValid = history !== undefined;
  return {
    body,
    before: {
      ...(body.name !== undefined && { name: project.name }),
      ...(body.protectedEnvironments !== undefined && { protectedEnvironments: [...project.protectedEnvironments] }),
      ...(body.requiredApprovals !== undefined && {
        requiredApprovals: Object.fromEntries(approvals.map((env) => [env, stored(project, env)])),
      }),
      ...(body.publicStateHistory !== undefined && { publicStateHistory: now }),
    },
    fields: settingsFields.filter((field) => body[field] !== undefined),
    isValid: name !== '' && name.length <= nameCharactersMax && isHistoryValid,
    isDeleting: isHistoryValid && keepsLess(history, now),
  };
}

const settingsFields = ['name', 'protectedEnvironments', 'requiredApprovals', 'publicStateHistory'] as const;
const stored = ({ requiredApprovals }: ProjectBody, env: Environment): number => requiredApprovals[env];
const inOrder = (some: readonly Environment[]): Environment[] => environments.filter((env) => some.includes(env));
