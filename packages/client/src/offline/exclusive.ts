import { runtime } from '../runtime.ts';

const inThisProcess = new Map<string, Promise<unknown>>();

/** Runs work exclusively: nothing else here or in other tabs runs under this name meanwhile. */
export async function exclusive<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const { locks } = runtime.navigator ?? {};
  if (locks !== undefined) return locks.request(name, {}, work);
  const mine = (inThisProcess.get(name) ?? Promise.resolve()).then(work);
  inThisProcess.set(
    name,
    mine.catch(() => {}),
  );
  return mine;
}
