/** Whether members of the account need a second factor. Owners decide, unless an outside issuer signs people in. */
import type { AccountBody } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { accountQuery } from '../api/queries.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Notice } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Setting } from '../ui/setting.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

const [useSecondFactorTexts] = textsOf('second-factor');

export function RequiredSecondFactor({ accountId, requireSecondFactor }: AccountBody) {
  const t = useTexts();
  const f = useSecondFactorTexts();
  const queries = useQueryClient();
  const isOwner = may(useAuthority(), 'own');
  const [isAsking, setAsking] = useState(false);
  const change = async (next: boolean) => {
    await call('updateAccount', { params: { accountId }, body: { requireSecondFactor: next } });
    await queries.invalidateQueries(accountQuery(accountId));
    return next ? f.secondRequired : f.secondFree;
  };
  const turn = async (next: boolean) => toast(await change(next), { action: undo(() => change(!next)) });
  const free = useAction(() => turn(false));
  const require = useAction(() => turn(true));
  const fault = require.fault ?? free.fault;
  const isOutside = fault instanceof ApiError && fault.code === 'outside_issuer';
  return (
    <Setting title={t.account.security} text={f.secondText}>
      <label className="check switch-row">
        <input
          type="checkbox"
          role="switch"
          aria-checked={requireSecondFactor}
          checked={requireSecondFactor}
          disabled={!isOwner || free.isBusy || require.isBusy}
          onChange={({ target }) => (target.checked ? setAsking(true) : free.run())}
        />
        <span>
          <b>{f.second}</b>
          {!isOwner && <small>{f.secondOwners}</small>}
        </span>
      </label>
      {isOutside ? <Notice kind="bad">{f.secondOutside}</Notice> : <Fault error={fault} />}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={f.secondTitle}
        text={f.secondEnds}
        action={f.secondAction}
        isHarmless
        onConfirm={async () => require.run()}
      />
    </Setting>
  );
}
