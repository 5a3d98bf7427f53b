/** Records of proposals. */
import Type from 'typebox';
import { environments, proposalFailures, proposalIdPattern, proposalStates } from '../identifiers.ts';
import { requiredApprovalsMax } from '../limits.ts';
import { ViolationBody } from './errors.ts';
import { nullable, page, Time, Version } from './fields.ts';
import { pattern } from './patterns.ts';
import { AuthorBody, Comment, PatchOperationBody } from './state.ts';

const Approvals = Type.Integer({ minimum: 0, maximum: requiredApprovalsMax });

export const RequiredApprovalsBody = Type.Object(
  Object.fromEntries(environments.map((environment) => [environment, Approvals])) as Record<
    (typeof environments)[number],
    typeof Approvals
  >,
  {
    description:
      'How many people must approve a proposal before it is applied. Above 0, public state of the environment changes only through proposals: `PUT` and `PATCH` get 403 `approval_required`.',
  },
);
export const ChangedApprovalsBody = Type.Partial(RequiredApprovalsBody, {
  description: 'Omitted environments stay as they are. Only an owner can lower a number.',
});

const Revision = Type.Integer({
  format: 'int64',
  minimum: 1,
  description: '1 on creation, incremented by every edit. In quotes, the entity tag.',
});
const ops = Type.Array(PatchOperationBody, { minItems: 1, description: 'Operations on version `baseVersion`.' });
const baseVersion = nullable(Version, 'The version that `ops` change; null if there is no document.');
const comment = Type.Optional(Comment);
const SetTime = Type.String({ format: 'date-time', description: 'RFC 3339 with an offset, within a year from now.' });
const times = {
  applyAt: Type.Optional(nullable(SetTime, 'When to apply it. Takes write access.')),
  revertAt: Type.Optional(nullable(SetTime, 'When to undo it again, after `applyAt`. Takes write access.')),
};

export const CreateProposalBody = Type.Object(
  { baseVersion, ops, comment, ...times },
  { description: 'A change to public state to propose.' },
);
export const UpdateProposalBody = Type.Object(
  { baseVersion: Type.Optional(baseVersion), ops: Type.Optional(ops), comment, ...times },
  {
    minProperties: 1,
    description:
      'At least one change. Omitted fields stay as they are, and null clears a time. Once applied, only `revertAt`.',
  },
);
export const ApproveProposalBody = Type.Object(
  {
    revision: Revision,
    version: nullable(Version, 'The `merged.version` that was seen: the current version, or null without a document.'),
    comment,
  },
  { description: 'An approval of what was seen.' },
);
export type ApproveProposalBody = Type.Static<typeof ApproveProposalBody>;
export const ApplyProposalBody = Type.Object(
  {
    revision: Revision,
    override: Type.Optional(
      Type.Boolean({ description: 'Applies the proposal without the required approvals. For owners.' }),
    ),
    comment,
  },
  { description: 'The revision to apply.' },
);
export type ApplyProposalBody = Type.Static<typeof ApplyProposalBody>;

export const ApprovalBody = Type.Object(
  { author: AuthorBody, at: Time, comment: Comment },
  { description: 'An approval.' },
);

export const ProposalFailureBody = Type.Object(
  {
    code: Type.Enum([...proposalFailures], {
      description: 'Why: as an error of the same name, or `too_late`, or `lost_races`: other writes kept getting in first.',
    }),
    message: Type.String({ description: 'What went wrong, in words.' }),
    conflicts: Type.Array(Type.String(), { description: 'With `merge_conflict`, as in `merged`, or the first of them.' }),
  },
  { description: 'Why a proposal was not applied at `applyAt`, or is not reverted yet.' },
);

export const MergedProposalBody = Type.Object(
  {
    version: nullable(Version, 'The current version; null without a document.'),
    ops: Type.Array(PatchOperationBody, {
      description: 'The operations on that version that applying would carry out, without conflicting changes.',
    }),
    conflicts: Type.Array(Type.String(), {
      description: 'JSON Pointers into the current document, to values that both sides changed differently; at most 100.',
    }),
    violations: Type.Array(ViolationBody, {
      description: 'Violations of the schema, or faults in flags, that prevent the write.',
    }),
  },
  { description: 'The effect of applying a proposal now.' },
);

const listed = {
  id: Type.String({
    ...pattern(proposalIdPattern, 'the id of a proposal: prop_ followed by letters and digits'),
    description: 'Identifier of a proposal.',
  }),
  revision: Revision,
  state: Type.Enum([...proposalStates], { description: 'Whether the proposal is open, or how it ended.' }),
  baseVersion,
  comment: Comment,
  author: nullable(AuthorBody, 'Who proposed it.'),
  editors: Type.Array(AuthorBody, { description: 'Everybody else who has edited it.' }),
  scheduledBy: nullable(AuthorBody, 'Who last set a time.'),
  createdAt: Time,
  updatedAt: Time,
  applyAt: nullable(Time, 'When it is applied.'),
  revertAt: nullable(Time, 'When it is reverted.'),
  approvals: Type.Array(ApprovalBody, { description: 'The approvals that count now.' }),
  requiredApprovals: Type.Integer({ minimum: 0, description: 'How many approvals it needs now.' }),
  appliedVersion: nullable(Version, 'The version that it became.'),
  appliedAt: nullable(Time),
  appliedBy: nullable(AuthorBody, 'Who applied it, or set its time.'),
  revertedVersion: nullable(Version, 'The version that undid it.'),
  revertedAt: nullable(Time),
  failure: nullable(ProposalFailureBody, 'Why it failed, or why the last attempt to revert it did.'),
};
export const ProposalItemBody = Type.Object(listed, { description: 'A proposal without its operations.' });
export type ProposalItemBody = Type.Static<typeof ProposalItemBody>;
export const ProposalListBody = page(ProposalItemBody, 'The proposals, newest first.');

export const ProposalBody = Type.Object(
  {
    ...listed,
    ops: Type.Array(PatchOperationBody, { description: 'Operations on version `baseVersion`; empty once withdrawn.' }),
    merged: nullable(MergedProposalBody, 'What applying it now would do; null once it has ended.'),
  },
  { description: 'A proposed change to public state.' },
);

/** The records of this file by their names in the description. */
export const proposalComponents = {
  ProposalBody,
  ProposalItemBody,
  ProposalListBody,
  CreateProposalBody,
  UpdateProposalBody,
  ApproveProposalBody,
  ApplyProposalBody,
  ApprovalBody,
  ProposalFailureBody,
  MergedProposalBody,
  RequiredApprovalsBody,
  ChangedApprovalsBody,
};
