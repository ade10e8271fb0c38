import { type EventObject, fromCallback, fromPromise } from 'xstate';
import { hasClaim } from '../../contract/claims.ts';
import type { UnlockBy } from '../../contract/sessions.ts';
import type { MailLanguage, SignInMethod } from '../../contract/sign-in.ts';
import { bankIdMachine } from '../machines/bank-id/bank-id.machine.ts';
import { interactionMachine } from '../machines/interaction/interaction.machine.ts';
import type { Identification } from '../machines/interaction/interaction.setup.ts';
import { lockMachine } from '../machines/lock/lock.machine.ts';
import { fillPort } from '../machines/port.ts';
import { sessionMachine } from '../machines/session/session.machine.ts';
import type { SignIn } from '../machines/session/session.setup.ts';
import { createBankId } from '../services/bank-id.ts';
import type { Failure } from '../services/failure.ts';
import type { Interactions } from '../services/interactions.ts';
import { watchSignOut } from '../services/tabs.ts';
import { watchWakeUp } from '../services/wake-detection.ts';
import type { Services } from './services.ts';

/** Fills the ports of the session. `loadSignedIn` loads the code of signed-in pages in parallel with the account. */
export const wiredSession = (services: Services, loadSignedIn: () => Promise<unknown>) => {
  const {
    session,
    tokens,
    tokenRejectionListeners,
    queryClient,
    queryInvalidation,
    account,
    chosenClinic,
    images,
    sessionLock,
  } = services;
  return sessionMachine.provide({
    actors: {
      restoreSession: fromPromise(() => session.restore()),
      signIn: fillPort(({ email, password, ...second }: SignIn) => {
        // Errors are handled in `resolveAccount`.
        loadSignedIn().catch(() => {});
        return session.signIn(email, password, second);
      }),
      startSignIn: fillPort(({ method, returnPath }: { method: SignInMethod; returnPath: string | null }) =>
        session.startRedirect(method, returnPath),
      ),
      resolveAccount: fromPromise(async () => {
        const [account] = await Promise.all([session.resolve(), loadSignedIn()]);
        return account;
      }),
      recheckPermissions: fromPromise(({ signal }) => session.permissions(signal)),
      renewToken: fromPromise(() => session.renew()),
      signOut: fillPort(async ({ returnPath }: { returnPath: string | null }) => {
        queryInvalidation.dispose();
        chosenClinic.save(null);
        images.forgetAll();
        sessionLock.forget();
        queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'welcome' });
        await session.signOut(returnPath);
      }),
      watchSession: fromCallback<EventObject, { permission: readonly string[] }>(({ input, sendBack }) => {
        const notifyRejected = (failure: Failure) => sendBack({ type: 'token.rejected', failure });
        const notifyEnded = () => sendBack({ type: 'session.ended-elsewhere' });
        // Storage events of other tabs may be missed during sleep.
        const notifyWoke = () => {
          const now = session.current();
          if (now) sendBack({ type: 'page.woke', renewInMs: now.renewInMs });
          else notifyEnded();
        };
        tokenRejectionListeners.add(notifyRejected);
        const cleanUps = [
          () => tokenRejectionListeners.delete(notifyRejected),
          watchSignOut(tokens.storageKey, notifyEnded),
          watchWakeUp(notifyWoke),
          account.keepFresh(hasClaim(input.permission, 'role.get')),
        ];
        if (!session.current()) notifyEnded();
        return () => {
          for (const cleanUp of cleanUps) cleanUp();
        };
      }),
    },
  });
};

/** Fills the ports of an authorization request. */
export const wiredInteraction = (interactions: Interactions) =>
  interactionMachine.provide({
    actors: {
      loadDetails: fillPort(({ uid }: { uid: string }) => interactions.details(uid)),
      identify: fillPort(({ uid, identification }: { uid: string; identification: Identification }) => {
        switch (identification.kind) {
          case 'password':
            return interactions.password(uid, identification.email, identification.password);
          case 'sms-code':
            return interactions.verifySms(uid, identification.code);
          case 'code':
            return interactions.verifyTwoFactorCode(uid, identification.code);
          case 'passkey':
            return interactions.passkey(uid);
          case 'account':
            return interactions.account(uid, identification.id);
        }
      }),
      requestSms: fillPort(async ({ uid, email, language }: { uid: string; email: string; language: MailLanguage }) => {
        const { goodForSeconds, againInSeconds } = await interactions.requestSms(uid, email, language);
        return { email, goodForSeconds, againAt: Date.now() + againInSeconds * 1000 };
      }),
      abort: fillPort(({ uid }: { uid: string }) => interactions.abort(uid)),
    },
  });

/** Fills the ports of the lock of a session. */
export const wiredLock = ({ sessionLock }: Pick<Services, 'sessionLock'>) =>
  lockMachine.provide({
    actors: {
      lockSession: fillPort(({ accountId }: { accountId: string }) => sessionLock.lock(accountId)),
      unlockSession: fillPort(({ by }: { by: UnlockBy }) => sessionLock.unlock(by)),
      watchLock: fromCallback<EventObject, { accountId: string; idleMinutes: number | null }>(({ input, sendBack }) =>
        sessionLock.watch({
          ...input,
          onIdle: () => sendBack({ type: 'input.idle' }),
          onLocked: () => sendBack({ type: 'session.locked' }),
          onUnlocked: () => sendBack({ type: 'session.unlocked' }),
        }),
      ),
    },
  });

/** Fills the ports of a BankID order. */
export const wiredBankId = ({ call }: Services) => {
  const bankId = createBankId(call);
  return bankIdMachine.provide({
    actors: {
      startOrder: fillPort(({ uid }: { uid: string | null }, signal) => bankId.start(uid, signal)),
      collectOrder: fillPort(({ uid }: { uid: string | null }, signal) => bankId.collect(uid, signal)),
      holdOrder: fromCallback<EventObject, { uid: string | null }>(
        ({ input: { uid } }) =>
          () =>
            bankId.cancel(uid),
      ),
    },
  });
};
