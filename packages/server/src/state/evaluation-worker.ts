/** A thread that evaluates the large bodies of state writes, one after the other. Started by evaluator.ts only. */
import { parentPort } from 'node:worker_threads';
import { compileShape } from '../shapes/compile-shape.ts';
import { differenceOf } from './changes/difference.ts';
import { evaluate } from './evaluate-body.ts';
import type { ThreadRequest } from './evaluator.ts';
import { compileHere } from './judge.ts';
import { judge } from './judge-request.ts';

const port = parentPort;
if (port === null) throw new Error('evaluation-worker.ts runs as a worker thread only');
compileHere((text) => compileShape(text).shape);
// An exception here ends the thread; the main thread then rejects the request that it was working on, with the cause.
port.on('message', (request: ThreadRequest) => port.postMessage(replyTo(request)));

function replyTo(request: ThreadRequest) {
  switch (request.kind) {
    case 'difference':
      return differenceOf(request);
    case 'replacement':
    case 'patch':
      return evaluate(request);
    default:
      return judge(request);
  }
}
