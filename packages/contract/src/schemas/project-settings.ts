/** Each setting of a project, with an example. */
import Type, { type Static } from 'typebox';
import { environments, flagsChecks } from '../identifiers.ts';
import { EnvironmentName, Name, nullable, set } from './fields.ts';
import { RequiredApprovalsBody } from './proposals.ts';
import { SaveRetentionBody } from './sign-in-settings.ts';

const ProtectedEnvironments = set(EnvironmentName, {
  maxItems: environments.length,
  description:
    'Environments whose public state only owners, admins and service accounts that name the environment may write, each time with a comment; API keys get 403. Service accounts cannot change this field.',
});
const FlagsCheckName = Type.Enum([...flagsChecks], {
  description:
    'With `enforce`, public state with unusable feature flags is refused. A flag is unusable if it cannot be read (no `variants`, an unknown `state`, a `defaultVariant` that is not a variant, an unknown operator or evaluator), if a branch of its rules (`if`, `fractional`) names no variant, if its rules fail or exceed their budget with an empty context, or if its variants have different types.',
});
const PublicStateHistory = nullable(SaveRetentionBody, 'The versions of public state to keep. Null keeps all.');
/** What a change of a project may set. */
export const projectSettings = {
  name: Name,
  protectedEnvironments: ProtectedEnvironments,
  flagsCheck: FlagsCheckName,
  publicStateHistory: PublicStateHistory,
  requiredApprovals: RequiredApprovalsBody,
};

type ProjectSettings = { [Field in keyof typeof projectSettings]: Static<(typeof projectSettings)[Field]> };

/** Every field differs from that of a new project, so that tests see it change. */
export const projectSettingsExample = {
  name: 'Hello',
  protectedEnvironments: ['production'],
  flagsCheck: 'enforce',
  publicStateHistory: { versions: 500, days: 90 },
  requiredApprovals: { development: 0, staging: 0, production: 1 },
} satisfies ProjectSettings;
