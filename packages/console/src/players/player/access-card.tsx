/** A player's access: the sessions, and the block. */
import { blockReasonCharactersMax } from '@holdfast/contract';
import { type ReactNode, useState } from 'react';
import { may, useAuthority } from '../../api/authority.ts';
import { call } from '../../api/http.ts';
import { forgetPlayers, type Player, type PlayerKey } from '../../api/players.ts';
import { formatTime, textsOf, useTexts } from '../../texts/index.ts';
import { useAction } from '../../ui/action.ts';
import { Button, Field } from '../../ui/controls.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { expiryIn } from '../../ui/expiry-field.tsx';
import { Fact, Facts, TextFact } from '../../ui/facts.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PlayerTitle } from '../player-name.tsx';
import { AccessLimit } from './limits.tsx';

const [usePlayerTexts] = textsOf('players');

type Asking = 'block' | 'unblock' | 'sessions';

interface AccessCardProps {
  readonly playerKey: PlayerKey;
  /** The player's. */
  readonly name: string;
  readonly blocked: Player['blocked'];
}

export function AccessCard({ playerKey, name, blocked }: AccessCardProps) {
  const p = usePlayerTexts();
  const isAllowed = may(useAuthority(), 'support_players');
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const titled = (title: (name: string) => string) => (
    <PlayerTitle name={name} playerId={playerKey.endUserId} title={title} />
  );
  return (
    <section className="card" aria-label={p.access}>
      <AccessRow title={p.sessions} action={isAllowed && p.endSessions} onAction={() => setAsking('sessions')}>
        <p>{p.sessionsText}</p>
      </AccessRow>
      <AccessRow
        title={p.blocking}
        action={isAllowed && (blocked === null ? p.block : p.unblock)}
        onAction={() => setAsking(blocked === null ? 'block' : 'unblock')}
      >
        {blocked === null ? <p>{p.notBlocked}</p> : <BlockFacts blocked={blocked} />}
      </AccessRow>
      <AccessLimit />
      {asking === 'block' && <BlockPlayer playerKey={playerKey} name={name} onClose={close} />}
      <Confirm
        isOpen={asking === 'unblock'}
        onClose={close}
        title={titled(p.unblockTitle)}
        text={p.unblockText}
        action={p.unblock}
        isHarmless
        onConfirm={async () => {
          await call('deletePlayerBlock', { params: playerKey });
          await forgetPlayers(playerKey);
          toast(p.unblocked);
        }}
      />
      <Confirm
        isOpen={asking === 'sessions'}
        onClose={close}
        title={titled(p.endSessionsTitle)}
        text={p.endSessionsText}
        action={p.endSessions}
        isHarmless
        onConfirm={async () => {
          await call('deletePlayerSessions', { params: playerKey });
          toast(p.sessionsEnded);
        }}
      />
    </section>
  );
}

interface AccessRowProps {
  readonly title: string;
  /** The label of the button; false if the user may not press it. */
  readonly action: string | false;
  readonly onAction: () => void;
  readonly children: ReactNode;
}

function AccessRow({ title, action, onAction, children }: AccessRowProps) {
  return (
    <div className="access-row">
      <div>
        <h2>{title}</h2>
        {children}
      </div>
      {action && <Button onClick={onAction}>{action}</Button>}
    </div>
  );
}

function BlockFacts({ blocked }: { blocked: NonNullable<Player['blocked']> }) {
  const t = useTexts();
  const p = usePlayerTexts();
  return (
    <Facts>
      <Fact name={p.blockedSince}>{formatTime(blocked.blockedAt)}</Fact>
      <Fact name={p.until}>{blocked.until === null ? p.noEnd : formatTime(blocked.until)}</Fact>
      <TextFact name={p.reason} text={blocked.reason ?? t.common.none} />
    </Facts>
  );
}

/** 0 means until unblocked. */
const blockDays = [0, 1, 7, 30] as const;

interface BlockPlayerProps extends Omit<AccessCardProps, 'blocked'> {
  readonly onClose: () => void;
}

function BlockPlayer({ playerKey, name, onClose }: BlockPlayerProps) {
  const p = usePlayerTexts();
  const [reason, setReason] = useState('');
  const [days, setDays] = useState(0);
  const block = useAction(async () => {
    const body = { reason: reason.trim() === '' ? null : reason.trim(), until: expiryIn(days) };
    await call('replacePlayerBlock', { params: playerKey, body });
    await forgetPlayers(playerKey);
    toast(p.blockedNow);
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={<PlayerTitle name={name} playerId={playerKey.endUserId} title={p.blockTitle} />}
      text={p.blockText}
    >
      <Form action={block}>
        <TextField
          label={p.reasonOptional}
          hint={p.reasonHint}
          value={reason}
          onChange={setReason}
          maxLength={blockReasonCharactersMax}
        />
        <Field label={p.until}>
          {(attributes) => (
            <select {...attributes} value={days} onChange={({ target }) => setDays(Number(target.value))}>
              {blockDays.map((one) => (
                <option key={one} value={one}>
                  {one === 0 ? p.noEnd : p.forDays(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Fault error={block.fault} />
        <FormEnd action={block} kind="danger" label={p.block} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
