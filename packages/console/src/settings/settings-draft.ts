/** What is changed on the page of a project's settings, and not saved yet. */
import {
  type Environment,
  environments,
  historyDaysMax,
  historyVersionsMax,
  nameCharactersMax,
  type ProjectBody,
  type UpdateProjectBody,
} from '@holdfast/contract';

/** The versions of public state that are kept; null for all. */
export type KeptHistory = ProjectBody['publicStateHistory'];

/** Its numbers as they are typed. */
export interface Typed {
  readonly versions: string;
  readonly days: string;
}

/** The limits of a text. An optional one is null if it is empty. */
interface TextRule {
  readonly charactersMax: number;
  readonly isOptional?: boolean;
  /** Checks texts that are not empty; by default, all are valid. */
  readonly isValid?: (text: string) => boolean;
}

/** The fields that are texts, in the order of the page. */
export const textSettings = {
  name: { charactersMax: nameCharactersMax },
} satisfies Partial<Record<keyof ProjectBody, TextRule>>;

export type TextSetting = keyof typeof textSettings;
export const textSettingNames = Object.keys(textSettings) as TextSetting[];

/** Whether a text can be saved as this field. */
export function isValidText(field: TextSetting, typed: string): boolean {
  const text = typed.trim();
  const { charactersMax, isOptional = false, isValid = () => true }: TextRule = textSettings[field];
  return text === '' ? isOptional : text.length <= charactersMax && isValid(text);
}

/** The fields that are saved together, as far as somebody has touched them. */
export interface SettingsDraft extends Partial<Readonly<Record<TextSetting, string>>> {
  readonly protectedEnvironments?: readonly Environment[];
  readonly requiredApprovals?: Partial<ProjectBody['requiredApprovals']>;
  /** Null keeps all versions. */
  readonly publicStateHistory?: Typed | null;
}

export type SettingsField = keyof SettingsDraft;
/** What is saved of these fields. */
type Saved = Pick<ProjectBody, SettingsField>;

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

/** The typed number; undefined if invalid or out of bounds. */
function numberIn(text: string, max: number): number | undefined {
  return /^[0-9]{1,4}$/.test(text.trim()) && Number(text) <= max ? Number(text) : undefined;
}

/** The typed values: each number, undefined if invalid, and the setting, undefined if a number is missing. */
export function settingIn(typed: Typed | null) {
  if (typed === null) return { versions: undefined, days: undefined, next: null };
  const versions = numberIn(typed.versions, historyVersionsMax);
  const days = numberIn(typed.days, historyDaysMax);
  return { versions, days, next: versions === undefined || days === undefined ? undefined : { versions, days } };
}

/** Whether a setting keeps less than the current one, of some document. */
const keepsLess = (next: KeptHistory, now: KeptHistory): boolean =>
  next !== null && (now === null || next.versions < now.versions || next.days < now.days);

/** How one field differs. */
interface Change<T> {
  readonly next: T;
  readonly before: T;
  readonly isValid: boolean;
}

/** What a draft changes about a field; undefined if nothing. */
type ChangeOf<F extends SettingsField> = (
  project: Saved,
  draft: SettingsDraft,
) => Change<NonNullable<UpdateProjectBody[F]> | null> | undefined;

const differing = <T>(next: T, before: T, isValid = true): Change<T> | undefined =>
  JSON.stringify(next) === JSON.stringify(before) ? undefined : { next, before, isValid };

const inOrder = (some: readonly Environment[]): Environment[] => environments.filter((env) => some.includes(env));

const changeOfText =
  (field: TextSetting): ChangeOf<TextSetting> =>
  ({ [field]: before }, { [field]: typed }) =>
    typed === undefined
      ? undefined
      : differing<string | null>(typed.trim() || null, before || null, isValidText(field, typed));

/** Each field, in the order of the page. */
const settings: { readonly [F in SettingsField]: ChangeOf<F> } = {
  ...(Object.fromEntries(textSettingNames.map((field) => [field, changeOfText(field)])) as Record<
    TextSetting,
    ChangeOf<TextSetting>
  >),
  protectedEnvironments({ protectedEnvironments: before }, draft) {
    return differing(inOrder(draft.protectedEnvironments ?? before), inOrder(before));
  },
  requiredApprovals({ requiredApprovals: before }, { requiredApprovals: next = {} }) {
    const changed = environments.filter((env) => (next[env] ?? before[env]) !== before[env]);
    const those = (from: typeof next) => Object.fromEntries(changed.map((env) => [env, from[env]]));
    return differing(those(next), those(before));
  },
  publicStateHistory({ publicStateHistory: before }, { publicStateHistory: typed }) {
    if (typed === undefined) return undefined;
    const { next } = settingIn(typed);
    return next === undefined ? { next: null, before, isValid: false } : differing(next, before);
  },
};

/** Returns how a draft differs from the saved project. */
export function changesOf(project: Saved, draft: SettingsDraft): SettingsChanges {
  const fields: SettingsField[] = [];
  const [body, before]: [UpdateProjectBody, UpdateProjectBody] = [{}, {}];
  let isValid = true;
  for (const field of Object.keys(settings) as SettingsField[]) {
    const change = settings[field](project, draft);
    if (change === undefined) continue;
    fields.push(field);
    Object.assign(body, { [field]: change.next });
    Object.assign(before, { [field]: change.before });
    isValid &&= change.isValid;
  }
  const history = body.publicStateHistory;
  const isDeleting = history !== undefined && keepsLess(history, project.publicStateHistory);
  return { body, before, fields, isValid, isDeleting };
}
