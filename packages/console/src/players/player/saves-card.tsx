/** The saves of a player, one environment at a time. */
import { type Environment, environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Clock, Gift, Pencil } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { may, useAuthority } from '../../api/authority.ts';
import { type Player, userStateQuery } from '../../api/players.ts';
import type { StateRecord, UserStateKey } from '../../api/state.ts';
import type { DocumentView } from '../../editor/document-view.ts';
import { ViewChoice } from '../../editor/view-choice.tsx';
import { WithDocumentHints } from '../../fields/document-hints.tsx';
import { useSwitchEnvironment } from '../../page/environment-switch.tsx';
import { useStateKey } from '../../page/route-params.ts';
import { formatAgo, formatBytes, formatTime, textsOf, useTexts, withTexts } from '../../texts/index.ts';
import { Json } from '../../ui/code.tsx';
import { Button, EnvironmentName, Segments, Skeleton } from '../../ui/controls.tsx';
import { Fault } from '../../ui/fault.tsx';
import { saveSchemaKey } from '../player-key.ts';
import { lastSave } from '../player-name.tsx';
import { SaveFields } from '../saves/save-fields.tsx';
import { SaveLimit } from './limits.tsx';

const [usePlayerTexts] = textsOf('players');

const ChangeSave = lazy(async () => ({
  default: (await withTexts(import('../saves/change-save.tsx'))).ChangeSave,
}));
const Give = lazy(async () => ({ default: (await withTexts(import('../gifts/give.tsx'))).Give }));

type SaveDialog = 'change' | 'give';

interface OpenDialog {
  /** Where it was opened. */
  readonly env: Environment;
  readonly dialog: SaveDialog;
  readonly record: StateRecord;
  /** The JSON Pointer to the value to give to, if it was chosen already. */
  readonly target?: string;
}

export function SavesCard({ player }: { player: Player }) {
  const p = usePlayerTexts();
  const stateKey = useStateKey();
  const { env: shown } = stateKey;
  const { states, userId } = player;
  const switchTo = useSwitchEnvironment();
  const [view, setView] = useState<DocumentView>('form');
  const own = useAuthority();
  const [open, setOpen] = useState<OpenDialog>();
  const key: UserStateKey = { ...stateKey, endUserId: userId };
  const userState = useQuery(userStateQuery(key));
  const about = states.find(({ environment }) => environment === shown);
  const record = userState.data ?? undefined;
  const close = () => setOpen(undefined);
  // Its record is not that of another environment.
  if (open !== undefined && open.env !== shown) close();
  return (
    <>
      <div className="player-bar">
        <EnvironmentChoice player={player} shown={shown} onChange={switchTo} />
        {record && <SaveActions saveKey={key} onOpen={(dialog) => setOpen({ env: shown, dialog, record })} />}
      </div>
      <section className="card player-state" aria-label={p.saves}>
        <div className="card-bar save-head">
          <h2>{p.state}</h2>
          {record && about && <SaveFacts record={record} about={about} view={view} onView={setView} />}
        </div>
        <Fault error={userState.error} onRetry={() => void userState.refetch()} />
        {userState.isPending && <Skeleton rows={6} />}
        {userState.data === null && <NoSave player={player} onSwitch={switchTo} />}
        {record && view === 'json' && <Json value={record.state} />}
        <WithDocumentHints schemaKey={saveSchemaKey(stateKey)}>
          {record && view === 'form' && (
            <SaveValues
              record={record}
              onGive={
                may(own, 'write_saves', shown)
                  ? (target) => setOpen({ env: shown, dialog: 'give', record, target })
                  : undefined
              }
            />
          )}
          {record && <SaveLimit env={shown} />}
          <Suspense>
            {open?.dialog === 'change' && <ChangeSave saveKey={key} opened={open.record} onClose={close} />}
            {open?.dialog === 'give' && <Give saveKey={key} opened={open.record} target={open.target} onClose={close} />}
          </Suspense>
        </WithDocumentHints>
      </section>
    </>
  );
}

interface SaveFactsProps {
  readonly record: StateRecord;
  readonly about: Player['states'][number];
  readonly view: DocumentView;
  readonly onView: (view: DocumentView) => void;
}

/** The version above its values, and how they are shown. */
function SaveFacts({ record, about, view, onView }: SaveFactsProps) {
  const t = useTexts();
  const p = usePlayerTexts();
  const { updatedAt, stateSizeBytes } = about;
  return (
    <>
      <p className="hint" title={formatTime(updatedAt)}>
        {[t.common.version(record.version), formatBytes(stateSizeBytes), formatAgo(updatedAt)].join(' · ')}
      </p>
      <ViewChoice view={view} form={p.values} onView={onView} />
    </>
  );
}

interface EnvironmentChoiceProps {
  readonly player: Player;
  readonly shown: Environment;
  readonly onChange: (env: Environment) => unknown;
}

/** Environments without a save of the player are dimmed. */
function EnvironmentChoice({ player: { states }, shown, onChange }: EnvironmentChoiceProps) {
  const t = useTexts();
  const isEmpty = (env: Environment) => states.every(({ environment }) => environment !== env);
  return (
    <Segments
      label={t.nav.environment}
      value={shown}
      onChange={(env) => void onChange(env)}
      options={environments.map((env) => ({
        value: env,
        label: (
          <span data-empty={isEmpty(env) || undefined}>
            <EnvironmentName env={env} />
          </span>
        ),
      }))}
    />
  );
}

/** Leads to the environment where the player has saved last. */
function NoSave({ player, onSwitch }: { player: Player; onSwitch: (env: Environment) => unknown }) {
  const t = useTexts();
  const p = usePlayerTexts();
  const last = lastSave(player);
  return (
    <div className="nothing">
      <p className="hint">{p.noState}</p>
      {last !== undefined && (
        <Button kind="quiet" size="small" onClick={() => void onSwitch(last.environment)}>
          {`${p.lastSave}: ${t.environments[last.environment]}`}
        </Button>
      )}
    </div>
  );
}

interface SaveValuesProps {
  readonly record: StateRecord;
  readonly onGive: ((target: string) => void) | undefined;
}

function SaveValues({ record, onGive }: SaveValuesProps) {
  const p = usePlayerTexts();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="save-values" aria-label={p.values} tabIndex={0}>
      <SaveFields value={record.state} onGive={onGive} />
    </section>
  );
}

function SaveActions({ saveKey, onOpen }: { saveKey: UserStateKey; onOpen: (dialog: SaveDialog) => void }) {
  const t = useTexts();
  const p = usePlayerTexts();
  const own = useAuthority();
  const { slug, env, endUserId: playerId } = saveKey;
  return (
    <div className="player-actions">
      <Link to="/p/$slug/$env/players/$playerId/history" params={{ slug, env, playerId }} className="button">
        <Clock aria-hidden="true" />
        <span>{t.history.title}</span>
      </Link>
      {(own === undefined || may(own, 'write_saves', env)) && (
        <>
          <Button icon={<Pencil />} disabled={own === undefined} onClick={() => onOpen('change')}>
            {p.change}
          </Button>
          <Button icon={<Gift />} disabled={own === undefined} onClick={() => onOpen('give')}>
            {p.give}
          </Button>
        </>
      )}
    </div>
  );
}
