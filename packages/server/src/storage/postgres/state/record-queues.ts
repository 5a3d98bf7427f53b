/**
 * Sends this node's changes of a record to the database one at a time, in the order of the calls. Writers of one record therefore occupy
 * only one connection, and other records do not wait.
 */
import { StoreFault } from '../../store.ts';

export interface RecordQueues {
  /**
   * Runs `change` when every earlier change of the record has been answered. If an earlier change fails, this one fails immediately in the
   * same way and is not sent: the database is unavailable. It still runs after a `StoreFault`, which concerns only the change that failed.
   */
  run<Outcome>(name: string, change: () => Promise<Outcome>): Promise<Outcome>;
}

function runAfterFailure<Outcome>(error: unknown, change: () => Promise<Outcome>): Promise<Outcome> {
  return error instanceof StoreFault ? change() : Promise.reject(error);
}

/** Returns queues that take no memory while idle. */
export function createRecordQueues(): RecordQueues {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(name, change) {
      const before = last.get(name);
      const outcome = before === undefined ? change() : before.then(change, (error) => runAfterFailure(error, change));
      last.set(name, outcome);
      const leave = () => {
        if (last.get(name) === outcome) last.delete(name);
      };
      outcome.then(leave, leave);
      return outcome;
    },
  };
}
