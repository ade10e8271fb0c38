import { useQuery } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { type ComponentProps, useEffect, useState } from 'react';
import type { CurrentUser } from '../../../contract/account.ts';
import { selectIsLocked } from '../../machines/lock/lock.machine.ts';
import { type SessionActor, selectClinic } from '../../machines/session/session.machine.ts';
import { LockPage } from '../account/lock-page.tsx';
import { RequiredTwoFactor, TwoFactorDue } from '../account/required-two-factor.tsx';
import type { Language } from '../language/languages.ts';
import type { ThemeChoice } from '../theme/theme.ts';
import { lazyAdministration } from '../ui/lazy-administration.ts';
import { lazyComponent, loadWithRetry } from '../ui/lazy-component.ts';
import { secondWindow } from '../workspace/second-window/second-window.ts';
import { useAppContext } from './app-context.tsx';
import { useAppQueries } from './queries-context.tsx';
import { Isolated } from './shell/error-boundary.tsx';

const AccountPanel = lazyComponent(async () => (await import('../account/account-panel.tsx')).AccountPanel);
const TwoFactorDialog = lazyAdministration(
  async () => (await import('../two-factor/two-factor-dialog.tsx')).TwoFactorDialog,
);
const PasskeysDialog = lazyAdministration(
  async () => (await import('../two-factor/passkeys-dialog.tsx')).PasskeysDialog,
);
const OwnPasswordDialog = lazyComponent(async () => (await import('./own-password-dialog.tsx')).OwnPasswordDialog);
const PinDialog = lazyAdministration(async () => (await import('../two-factor/pin-dialog.tsx')).PinDialog);
const SessionsDialog = lazyComponent(async () => (await import('../account/sessions-dialog.tsx')).SessionsDialog);

type Wizard = Pick<ComponentProps<typeof TwoFactorDialog>, 'change' | 'logic'>;

/** Returns the two-factor wizard, if open, and what opens it. */
const useTwoFactorWizard = (user: CurrentUser, place: string, onClosed: () => void = () => {}) => {
  const { twoFactor } = useAppContext();
  const [wizard, setWizard] = useState<Wizard | null>(null);
  return {
    open: (change: Wizard['change']) => setWizard({ change, logic: loadWithRetry(twoFactor) }),
    dialog: wizard && (
      <Isolated place={place}>
        <TwoFactorDialog
          {...wizard}
          user={user}
          onClose={() => {
            setWizard(null);
            onClosed();
          }}
        />
      </Isolated>
    ),
  };
};

/** The page of a user who must set up two-factor authentication first. It is loaded again afterwards. */
export const TwoFactorFirst = ({ session, user }: { readonly session: SessionActor; readonly user: CurrentUser }) => {
  const reload = () => window.location.reload();
  const wizard = useTwoFactorWizard(user, '/', reload);
  const [addsPasskey, setAddsPasskey] = useState(false);
  return (
    <RequiredTwoFactor
      onSetUp={() => wizard.open('turn-on')}
      onPasskey={() => setAddsPasskey(true)}
      onSignOut={() => session.send({ type: 'sign-out.requested' })}
    >
      {wizard.dialog}
      {addsPasskey && (
        <Isolated place="/">
          <PasskeysDialog user={user} onClose={reload} />
        </Isolated>
      )}
    </RequiredTwoFactor>
  );
};

interface AccountOverlaysProps {
  readonly session: SessionActor;
  readonly user: CurrentUser;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The path of the page, which resets what failed. */
  readonly place: string;
  readonly themeChoice: ThemeChoice;
  readonly onTheme: (choice: ThemeChoice) => void;
  readonly onLanguage: (language: Language) => void;
}

/** The account panel, what it opens, and the lock of the session. */
export const AccountOverlays = (props: AccountOverlaysProps) => {
  const { session, user, opened, onClose, place, themeChoice, onTheme, onLanguage } = props;
  const { lock, wasLocked, inspect } = useAppContext();
  const clinic = useSelector(session, selectClinic);
  const [dialog, setDialog] = useState<'password' | 'pin' | 'passkeys' | 'sessions' | null>(null);
  const [isLater, setLater] = useState(false);
  const [wasOpened, setWasOpened] = useState(opened);
  // Stays mounted once opened, so that closing is animated.
  if (opened && !wasOpened) setWasOpened(true);
  const { idleMinutes, twoFactorFrom } = user.policy;
  const isLocked = user.restriction === 'session-locked' || wasLocked(user.id);
  const actor = useActorRef(lock, { input: { accountId: user.id, isLocked, idleMinutes }, inspect });
  const locked = useSelector(actor, selectIsLocked);
  const account = useQuery({ ...useAppQueries().account(), enabled: opened || locked, staleTime: 0 }).data ?? user;
  const wizard = useTwoFactorWizard(account, place);
  useEffect(() => {
    if (locked) secondWindow.close();
  }, [locked]);
  const signOut = () => session.send({ type: 'sign-out.requested' });
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <>
      {twoFactorFrom && !account.twoFactorEnabled && !isLater && (
        <TwoFactorDue from={twoFactorFrom} onSetUp={() => wizard.open('turn-on')} onLater={() => setLater(true)} />
      )}
      {wizard.dialog}
      {dialog && (
        <Isolated place={place}>
          {dialog === 'password' && <OwnPasswordDialog onClose={() => setDialog(null)} />}
          {dialog === 'pin' && <PinDialog user={account} onClose={() => setDialog(null)} />}
          {dialog === 'passkeys' && <PasskeysDialog user={account} onClose={() => setDialog(null)} />}
          {dialog === 'sessions' && <SessionsDialog onClose={() => setDialog(null)} />}
        </Isolated>
      )}
      <Isolated place={place}>
        {wasOpened && (
          <AccountPanel
            user={{ name, email: user.email, roles: user.roles, clinic: clinic?.name ?? null }}
            twoFactor={{
              isOn: account.twoFactorEnabled,
              hasAuthenticator: account.hasAuthenticator ?? account.twoFactorEnabled,
              passkeys: account.passkeys,
              codesLeft: account.recoveryCodesLeft,
            }}
            hasPin={account.pin !== 'none'}
            opened={opened}
            isCovered={dialog !== null || wizard.dialog !== null}
            themeChoice={themeChoice}
            onClose={onClose}
            onLanguage={onLanguage}
            onTheme={onTheme}
            onTwoFactor={wizard.open}
            onPasskeys={() => setDialog('passkeys')}
            onPassword={() => setDialog('password')}
            onPin={() => setDialog('pin')}
            onSessions={() => setDialog('sessions')}
            onLock={() => {
              onClose();
              actor.send({ type: 'lock.requested' });
            }}
            onSignOut={signOut}
          />
        )}
      </Isolated>
      {locked && (
        <LockPage
          actor={actor}
          name={name}
          pin={account.pin}
          hasPasskey={account.passkeys > 0}
          hasBankId={account.bankId}
          onOtherUser={signOut}
        />
      )}
    </>
  );
};
