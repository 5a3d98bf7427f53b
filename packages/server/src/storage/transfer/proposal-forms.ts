/** The allowed values of the fields of proposals, from any source. @see values.ts */
import { proposalStates, stateCharactersMax } from '@holdfast/contract';
import {
  bytes,
  type Form,
  flag,
  integer,
  isApproval,
  isAuthor,
  isFailure,
  isListFor,
  isListOf,
  isProposer,
  json,
  text,
  time,
  word,
} from './value-forms.ts';

const version = integer(1);
const author = json(16 * 1024, isAuthor);
/** Longer than the people and comments of one proposal. */
const listBytesMax = 1024 * 1024;

export const proposalForms: Readonly<Record<string, Form>> = {
  revision: version,
  state: word(...proposalStates),
  base_version: version,
  ops: text(stateCharactersMax),
  author_key: json(16 * 1024, (parsed) => typeof parsed === 'string'),
  is_of_reader: flag,
  editors: json(listBytesMax, isListFor(isAuthor)),
  changed_by: author,
  applied_by: author,
  applied_version: version,
  apply_at: time,
  revert_at: time,
  scheduled_by: author,
  scheduler: json(16 * 1024, isProposer),
  applied_at: time,
  applied_from: integer(0),
  reverted_version: version,
  reverted_at: time,
  failure: json(listBytesMax, isFailure),
  involved: json(listBytesMax, isListOf()),
  approvals: json(listBytesMax, isListFor(isApproval)),
  repeat_key: bytes(16),
  request: bytes(16),
};
