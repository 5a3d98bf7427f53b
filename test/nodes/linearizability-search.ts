/**
 * Wing and Gong's search with Lowe's memoisation, over histories of one register: it tries every order. It uses none of the shortcuts of
 * `checkRegister`, and can therefore verify it, on short histories.
 * @see Lowe, Testing for linearizability (2016)
 */
import type { Operation } from '../../torture/linearizability.ts';

interface Register {
  readonly version: number;
  readonly contentHash: string;
}

/** Whether a register gives the same answers in some order of the operations that respects their times. */
export function isLinearizable(operations: readonly Operation[]): boolean {
  const answered = operations.reduce((mask, { observation }, i) => mask | (observation.kind === 'unknown' ? 0 : 1 << i), 0);
  const tried = new Set<string>();
  const search = (done: number, register: Register | undefined): boolean => {
    if ((done & answered) === answered) return true;
    const situation = `${done} ${register?.version} ${register?.contentHash}`;
    if (tried.has(situation)) return false;
    tried.add(situation);
    const isOpen = (i: number) => (done & (1 << i)) === 0;
    const firstAnswerAt = Math.min(
      ...operations.filter((_, i) => isOpen(i) && answered & (1 << i)).map((one) => one.answeredAt),
    );
    return operations.some((operation, i) => {
      if (!isOpen(i) || operation.calledAt > firstAnswerAt) return false;
      const next = apply(operation, register);
      return next !== 'impossible' && search(done | (1 << i), next);
    });
  };
  return search(0, undefined);
}

/** The register after the operation, or `impossible` if it cannot give this answer. */
function apply({ call, observation }: Operation, register: Register | undefined): Register | undefined | 'impossible' {
  const current = register?.version ?? null;
  if (call.kind === 'read') {
    if (observation.kind === 'unknown') return register;
    if (observation.kind === 'absent') return register === undefined ? register : 'impossible';
    if (observation.kind !== 'present' || register === undefined) return 'impossible';
    const { version, contentHash } = observation.record;
    return version === register.version && contentHash === register.contentHash ? register : 'impossible';
  }
  const fits = call.expects === current;
  if (observation.kind === 'conflict') return !fits && observation.currentVersion === current ? register : 'impossible';
  const next = { version: (current ?? 0) + 1, contentHash: call.contentHash };
  if (observation.kind === 'unknown') return fits ? next : register;
  if (!fits || observation.kind !== 'written') return 'impossible';
  const { version, contentHash } = observation.record;
  return version === next.version && contentHash === next.contentHash ? next : 'impossible';
}
