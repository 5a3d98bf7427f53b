/** A thread that evaluates large bodies of state writes, one at a time. Only evaluator.ts starts it. */
import { parentPort } from 'node:worker_threads';
import { compileStateSchema } from '../../schemas/compile-state-schema.ts';
import { differenceOf } from './difference.ts';
import { compileHere } from './document-validation.ts';
import { evaluate } from './evaluate-body.ts';
import type { ThreadRequest } from './evaluator.ts';
import { answerMerge } from './merge-request.ts';
import { answerValidation } from './validation-request.ts';

const port = parentPort;
if (port === null) throw new Error('evaluation-worker.ts runs as a worker thread only');
compileHere((text) => compileStateSchema(text).compiled);
// An exception ends this thread, and the main thread rejects the current request with its cause.
port.on('message', (request: ThreadRequest) => port.postMessage(replyTo(request)));

function replyTo(request: ThreadRequest) {
  switch (request.kind) {
    case 'difference':
      return differenceOf(request);
    case 'replacement':
    case 'patch':
      return evaluate(request);
    case 'merge':
    case 'proposal_body':
      return answerMerge(request);
    default:
      return answerValidation(request);
  }
}
