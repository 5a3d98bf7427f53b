/** The menus of the sidebar: accounts and preferences. They are loaded and opened on first use. */
import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { ArrowRightLeft, Check, Fingerprint, LogOut } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { baseUrl } from '../api/addresses.ts';
import { drafts } from '../api/drafts.ts';
import { type Holder, personName, signOut, switchAccount } from '../api/session.ts';
import { useAccountId, useSession } from '../api/signed-in.ts';
import { accountsQuery } from '../api/team.ts';
import { setLanguage, setTheme, useLanguage, useTexts, useTheme } from '../texts/index.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Plain } from '../ui/plain.tsx';
import '../ui/menu.css';

/** The page *Your sign-in*. */
const ownSignInUrl = `${baseUrl}/account?client_id=svc-developer`;

interface MenuProps {
  readonly className: string;
  readonly children: ReactNode;
}

/** The signed-in user's accounts, the link to their sign-in, and the sign-out. */
export function AccountMenu({ className, children }: MenuProps) {
  const t = useTexts();
  const [container, setContainer] = useState<HTMLDivElement | null>(null);
  const accountId = useAccountId();
  const { data: accounts = [] } = useQuery(accountsQuery);
  const [wanted, setWanted] = useState<string>();
  const holder = useSession();
  /** Then the button below says who it is. */
  const isByLink = holder.kind !== 'signed_out' && personName(holder, '') === '';
  const [draftCount, setDraftCount] = useState(0);
  const leave = async () => {
    const count = await drafts.count().catch(() => 0);
    if (count > 0) setDraftCount(count);
    else await signOut();
  };
  const go = async (next: string) => {
    if ((await drafts.count().catch(() => 0)) > 0) setWanted(next);
    else await switchAccount(next);
  };
  return (
    <>
      <Menu.Root defaultOpen>
        <Menu.Trigger className={className}>{children}</Menu.Trigger>
        <div ref={setContainer} className="menu-container" />
        <Menu.Portal container={container}>
          <Menu.Positioner positionMethod="fixed" sideOffset={4} side="top" align="start" className="menu-positioner">
            <Menu.Popup className="menu">
              {holder.kind !== 'signed_out' && <Person holder={holder} />}
              <Menu.Group>
                <Menu.GroupLabel className="menu-label">{t.team.accounts}</Menu.GroupLabel>
                {accounts.map((account) => (
                  <Menu.Item
                    key={account.accountId}
                    className="menu-item"
                    disabled={account.accountId === accountId}
                    onClick={() => void go(account.accountId)}
                  >
                    {account.accountId === accountId ? <Check aria-hidden="true" /> : <ArrowRightLeft aria-hidden="true" />}
                    <span className="menu-text">
                      <Plain>{account.name}</Plain>
                      {account.accountId === accountId && isByLink ? null : <small>{t.team.roles[account.role]}</small>}
                    </span>
                  </Menu.Item>
                ))}
              </Menu.Group>
              <Menu.Separator className="menu-separator" />
              <Menu.Item className="menu-item" render={<a href={ownSignInUrl} target="_blank" rel="noreferrer" />}>
                <Fingerprint aria-hidden="true" />
                {t.team.security}
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => void leave()}>
                <LogOut aria-hidden="true" />
                {t.session.signOut}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <Confirm
        isOpen={wanted !== undefined}
        onClose={() => setWanted(undefined)}
        title={t.team.switchTitle}
        text={t.team.switchDrafts}
        action={t.team.switch}
        isHarmless
        onConfirm={async () => switchAccount(wanted ?? accountId)}
      />
      <AskSignOut draftCount={draftCount} onClose={() => setDraftCount(0)} />
    </>
  );
}

/** Who is signed in: the name, and the address if known. */
function Person({ holder }: { holder: Holder }) {
  const t = useTexts();
  const { name, email } = holder;
  return (
    <p className="menu-person">
      <b className="cut">
        <Plain>{name ?? personName(holder, t.session.operator)}</Plain>
      </b>
      {name !== undefined && email !== undefined && (
        <small className="cut">
          <Plain>{email}</Plain>
        </small>
      )}
    </p>
  );
}

/** Asks before a sign-out deletes drafts. */
function AskSignOut({ draftCount, onClose }: { draftCount: number; onClose: () => void }) {
  const t = useTexts();
  return (
    <Confirm
      isOpen={draftCount > 0}
      onClose={onClose}
      title={t.session.signOut}
      text={t.session.signOutDrafts(draftCount)}
      action={t.session.signOut}
      onConfirm={async () => {
        await drafts.clear();
        await signOut();
      }}
    />
  );
}

export function PreferencesMenu({ className, children }: MenuProps) {
  const t = useTexts();
  const [container, setContainer] = useState<HTMLDivElement | null>(null);
  const theme = useTheme();
  const language = useLanguage();
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={className}>{children}</Menu.Trigger>
      <div ref={setContainer} className="menu-container" />
      <Menu.Portal container={container}>
        <Menu.Positioner positionMethod="fixed" sideOffset={4} side="top" align="start" className="menu-positioner">
          <Menu.Popup className="menu">
            <Menu.Group>
              <Menu.GroupLabel className="menu-label">{t.nav.theme}</Menu.GroupLabel>
              <Menu.RadioGroup value={theme} onValueChange={setTheme}>
                {(['system', 'light', 'dark'] as const).map((value) => (
                  <Menu.RadioItem key={value} value={value} className="menu-item" closeOnClick={false}>
                    <Menu.RadioItemIndicator className="menu-check" keepMounted />
                    {t.nav.themes[value]}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Group>
            <Menu.Separator className="menu-separator" />
            <Menu.Group>
              <Menu.GroupLabel className="menu-label">{t.nav.language}</Menu.GroupLabel>
              <Menu.RadioGroup value={language} onValueChange={setLanguage}>
                <Menu.RadioItem value="en" lang="en" className="menu-item">
                  <Menu.RadioItemIndicator className="menu-check" keepMounted />
                  English
                </Menu.RadioItem>
                <Menu.RadioItem value="de" lang="de" className="menu-item">
                  <Menu.RadioItemIndicator className="menu-check" keepMounted />
                  Deutsch
                </Menu.RadioItem>
              </Menu.RadioGroup>
            </Menu.Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
