/** Proposals for copies of a store: open, edited, applied and withdrawn, with every field set. */
import { createHash } from 'node:crypto';
import type { ProposalKey } from '../../storage/contract/proposals.ts';
import type { PublicStateKey } from '../../storage/contract/public-states.ts';
import type { Store } from '../../storage/store.ts';
import { byOperator as by } from '../../storage/store-suite/records.fixture.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16);
const limits = { open: 100, ofAuthor: 100, ofReaders: 100 };
const author = { kind: 'developer', id: 'usr_ada' } as const;
const operator = { author, proposer: { kind: 'operator', id: 'operator' } } as const;
const robot = { kind: 'service_account', id: 'svc_1', name: 'Robot' } as const;
const noTimes = { applyAt: null, revertAt: null };
const ops = '[{"op":"add","path":"/n","value":9007199254740993}]';

/** Proposes changes of a document that is at `version`, each with one of the texts as its comment. */
export async function fillProposals(
  store: Store,
  key: PublicStateKey,
  version: number,
  texts: readonly string[],
): Promise<void> {
  for (const [index, comment] of texts.entries()) {
    const isTimed = index === 0 || index === 3;
    const next = {
      ...(isTimed || index % 2 === 0 ? operator : { author: robot, proposer: robot }),
      proposalId: `prop_${index}`,
      baseVersion: version,
      opsText: ops,
      comment: index === 0 ? null : comment,
      applyAt: index === 0 ? 9_000_000_000_000 : null,
      revertAt: isTimed ? 9_000_000_000_001 : null,
      repeat: index === 1 ? { key: hashOf('key'), request: hashOf('request') } : undefined,
    };
    requireKind(await store.createProposal(by, key, next, limits), 'created');
  }
  const of = (index: number): ProposalKey => ({ ...key, proposalId: `prop_${index}` });
  const change = { baseVersion: version, opsText: ops.replace('add', 'replace'), comment: texts[1] ?? null, ...noTimes };
  requireKind(await store.editProposal(by, of(1), 1, operator, { ...change, setsTimes: false }), 'edited');
  requireKind(await store.withdrawProposal(by, of(2), operator), 'done');
  const application = { proposalId: 'prop_3', revision: 1, isOverride: false, comment: 'now', by };
  const settled = await store.settleProposal(
    by,
    key,
    { ...application, cause: 'person', applier: operator.proposer, author },
    version,
  );
  requireKind(settled, 'done');
}

/** Throws unless a verb of the store had this outcome. */
export function requireKind(outcome: { readonly kind: string } | string, expected: string): void {
  const kind = typeof outcome === 'string' ? outcome : outcome.kind;
  if (kind !== expected) throw new Error(`expected ${expected}, got ${kind}`);
}
