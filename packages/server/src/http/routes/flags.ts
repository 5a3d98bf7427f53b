/** Feature flags on the wire, as defined by the OpenFeature Remote Evaluation Protocol. @see docs/contract.md §5.5 */
import type { ErrorCode } from '@holdfast/contract';
import type { FlagFailure, FlagOutcome } from '../../flags/evaluate.ts';
import type { Flags } from '../../flags/flags.ts';
import type { PublicStates } from '../../state/public-state.ts';
import type { HandlersOf, OperationRequest } from '../operation-request.ts';
import { stateCachingHeaders } from '../replies/caching.ts';
import { hasWeakTag, unchangedReply } from '../replies/conditional-read.ts';
import { errorReply } from '../replies/error-reply.ts';
import { type AsText, type ErrorReply, type Reply, textReply } from '../replies/reply.ts';

type FlagOperations = 'evaluateFlags' | 'evaluateFlag';

/** The handlers of feature flags. */
export function flagHandlers(states: Pick<PublicStates, 'read'>, flags: Flags): HandlersOf<FlagOperations> {
  const ask = async (request: OperationRequest<FlagOperations>, key?: string): Promise<FlagOutcome> => {
    const { params, principal, bodyBytes, caller } = request;
    const targetingKey = principal.kind === 'end_user' ? principal.userId : undefined;
    return flags.evaluate(params, await states.read(params), { body: bodyBytes, key, targetingKey }, caller.owner);
  };
  return {
    evaluateFlag: async (request) => {
      const outcome = await ask(request, request.params.key);
      return outcome.kind === 'failed' ? failureReply(outcome) : jsonTextReply(outcome.text, stateCachingHeaders);
    },
    evaluateFlags: async (request) => {
      const outcome = await ask(request);
      if (outcome.kind === 'failed') return failureReply(outcome);
      const headers = [...stateCachingHeaders, 'ETag', outcome.entityTag];
      return hasWeakTag(request.headers, outcome.entityTag)
        ? unchangedReply(headers)
        : jsonTextReply(outcome.text, headers);
    },
  };
}

const jsonTextReply = (text: string, headers: readonly string[]): Reply<200, AsText> =>
  textReply(200, 'application/json', text, headers);

const codes = {
  request: 'validation_error',
  flag: 'flag_error',
  unknown_flag: 'not_found',
} as const satisfies Record<FlagFailure['cause'], ErrorCode>;

/** The envelope, with the members that OpenFeature clients read. */
function failureReply({ cause, key, errorCode, message }: FlagFailure): ErrorReply {
  const details = { ...(key !== undefined && { key }), errorCode, errorDetails: message };
  return errorReply(codes[cause], message, { details });
}
