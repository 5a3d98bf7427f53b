/** What support does for a player: block, end sessions, export, erase. */
import { useNavigate } from '@tanstack/react-router';
import { Ban, Download, LogOut, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { call, send } from '../api/http.ts';
import { forgetPlayers, type Player } from '../api/players.ts';
import { useStateKey } from '../shell/place.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, Field } from '../ui/controls.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { expiryIn } from '../ui/expiry-field.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toasts.tsx';
import { useSupportWords } from './support-words.ts';

type Asked = 'block' | 'sessions' | 'erase';

export function PlayerActions({ player }: { player: Player }) {
  const t = useTexts();
  const words = useSupportWords();
  const { accountId, slug } = useStateKey();
  const own = useAuthority();
  const [asked, setAsked] = useState<Asked>();
  const params = { accountId, slug, endUserId: player.userId };
  const download = useAction(async () => {
    const text = await (await send('readPlayerExport', { params })).text();
    saveFile(`player-${player.userId}.json`, 'application/json', text);
    toast(t.players.exported);
  });
  const unblock = useAction(async () => {
    await call('deletePlayerBlock', { params });
    await forgetPlayers({ accountId });
    toast(words.isUnblocked);
  });
  const close = () => setAsked(undefined);
  const mayHelp = may(own, 'support_players');
  return (
    <>
      {may(own, 'read_players') && (
        <Button icon={<Download />} isBusy={download.isBusy} onClick={download.run}>
          {t.players.export}
        </Button>
      )}
      {mayHelp && (
        <>
          <Button icon={<LogOut />} onClick={() => setAsked('sessions')}>
            {words.signOut}
          </Button>
          {player.blocked ? (
            <Button icon={<Ban />} isBusy={unblock.isBusy} onClick={unblock.run}>
              {words.unblock}
            </Button>
          ) : (
            <Button icon={<Ban />} onClick={() => setAsked('block')}>
              {words.block}
            </Button>
          )}
          <Button kind="danger" icon={<Trash2 />} onClick={() => setAsked('erase')}>
            {words.erase}
          </Button>
        </>
      )}
      <Fault error={download.fault ?? unblock.fault} />
      {asked === 'block' && <BlockPlayer params={params} onClose={close} />}
      <Confirm
        isOpen={asked === 'sessions'}
        onClose={close}
        title={words.signOutTitle}
        text={words.signOutText}
        action={words.signOut}
        onConfirm={async () => {
          await call('deletePlayerSessions', { params });
          toast(words.isSignedOut);
        }}
      />
      <ErasePlayer player={player} isOpen={asked === 'erase'} onClose={close} />
    </>
  );
}

const blockDays = [1, 7, 30, 0] as const;

interface BlockPlayerProps {
  readonly params: { readonly accountId: string; readonly slug: string; readonly endUserId: string };
  readonly onClose: () => void;
}

function BlockPlayer({ params, onClose }: BlockPlayerProps) {
  const words = useSupportWords();
  const [reason, setReason] = useState('');
  const [days, setDays] = useState(0);
  const block = useAction(async () => {
    await call('replacePlayerBlock', { params, body: { reason: reason.trim() || null, until: expiryIn(days) } });
    await forgetPlayers(params);
    toast(words.isBlocked);
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={words.blockTitle} text={words.blockText}>
      <Form action={block}>
        <TextField label={words.reason} hint={words.reasonHint} value={reason} onChange={setReason} maxLength={1_000} />
        <Field label={words.ends}>
          {(attributes) => (
            <select {...attributes} value={days} onChange={(event) => setDays(Number(event.target.value))}>
              {blockDays.map((one) => (
                <option key={one} value={one}>
                  {one === 0 ? words.endless : words.days(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Fault error={block.fault} />
        <FormEnd action={block} kind="danger" label={words.block} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function ErasePlayer({ player, isOpen, onClose }: { player: Player; isOpen: boolean; onClose: () => void }) {
  const t = useTexts();
  const words = useSupportWords();
  const { accountId, slug, env } = useStateKey();
  const navigate = useNavigate();
  const names = player.states.map(({ environment }) => t.environments[environment]);
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={words.eraseTitle}
      text={t.players.deleteText}
      action={words.erase}
      onConfirm={async () => {
        await call('deletePlayer', { params: { accountId, slug, endUserId: player.userId } });
        await forgetPlayers({ accountId });
        toast(words.erased);
        await navigate({ to: '/p/$slug/$env/players', params: { slug, env } });
      }}
    >
      <ul className="consequences">
        <li>{names.length === 0 ? t.players.deleteNoStates : t.players.deleteStates(names.join(', '))}</li>
        <li>{t.players.deleteTokens}</li>
        <li>{words.eraseIdentity}</li>
        <li>{words.eraseAudit}</li>
      </ul>
    </Confirm>
  );
}
