/** When a change applies: now, as a proposal, or at times. The choice of a review and of a promotion. */
import type { Environment } from '@holdfast/contract';
import { type ReactNode, useState } from 'react';
import type { Times } from '../api/proposals.ts';
import { textsOf } from '../texts/index.ts';
import { useTimes } from '../times/times-fields.tsx';
import { Segments } from '../ui/controls.tsx';
import type { Writing } from './writing.ts';

const [useReleaseTexts] = textsOf('releases');

/** What the main button does. */
type Way = 'save' | 'propose' | 'schedule';

/** What a user may do, the usual first. Times take the power to write. */
const waysOf = ({ isProposed, isForbidden }: Writing): readonly [Way, ...Way[]] => {
  if (isForbidden) return ['propose'];
  return isProposed ? ['propose', 'schedule'] : ['save', 'propose', 'schedule'];
};

interface ChosenWay {
  readonly way: Way;
  /** Of a scheduled change; undefined if they cannot be used. */
  readonly times: Times | undefined;
  readonly needsComment: boolean;
  /** Whether the times and this comment are enough. */
  readonly takes: (comment: string) => boolean;
  /** The choice, and the fields for the times. */
  readonly fields: ReactNode;
}

export function useWay(env: Environment, writing: Writing): ChosenWay {
  const r = useReleaseTexts();
  const ways = waysOf(writing);
  const [chosen, setChosen] = useState<Way>();
  const way = chosen !== undefined && ways.includes(chosen) ? chosen : ways[0];
  const isTimed = way === 'schedule';
  const times = useTimes(undefined, isTimed);
  const needsComment = writing.isProtected && way !== 'propose';
  return {
    way,
    times: isTimed ? times.value : undefined,
    needsComment,
    takes: (comment) => (!needsComment || comment.trim() !== '') && (!isTimed || times.value !== undefined),
    fields: (
      <>
        {ways.length > 1 && (
          <div className="save-way">
            <Segments
              label={r.way}
              value={way}
              onChange={setChosen}
              options={ways.map((one) => ({ value: one, label: r.ways[one] }))}
            />
            {way === 'save' && env === 'production' && <span>{r.immediate}</span>}
          </div>
        )}
        {isTimed && times.fields}
      </>
    ),
  };
}
