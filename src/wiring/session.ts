import { type EventObject, fromCallback, fromPromise } from 'xstate';
import { mayDo } from '../../contract/claims.ts';
import type { SignInMethod } from '../../contract/sign-in.ts';
import { connectionMachine } from '../machines/connection/connection.machine.ts';
import { sessionMachine } from '../machines/session/session.machine.ts';
import type { Failure } from '../services/failure.ts';
import { watchSignOut } from '../services/tabs.ts';
import { watchWaking } from '../services/waking.ts';
import { filled } from './filled.ts';
import { clinicKey, type Services } from './services.ts';

/** Keeps the dictionaries fresh, by code that is there already for somebody who is signed in. Returns what stops it. */
const keepFresh = (account: Services['account'], mayReadRoles: boolean): (() => void) => {
  let left = false;
  let stop = () => {};
  account().then(
    (known) => {
      if (!left) stop = known.keepFresh(mayReadRoles);
    },
    // It came once: whoever is signed in was asked about by it.
    () => {},
  );
  return () => {
    left = true;
    stop();
  };
};

export const wiredSession = (services: Services) => {
  const { session, tokens, refusals, queryClient, news, account } = services;
  return sessionMachine.provide({
    actors: {
      restoreSession: fromPromise(() => session.restore()),
      signIn: filled(({ email, password, code }: { email: string; password: string; code: string | null }) =>
        session.signIn(email, password, code),
      ),
      startSignIn: filled(({ method, place }: { method: SignInMethod; place: string | null }) =>
        session.leaveFor(method, place),
      ),
      resolveAccount: fromPromise(() => session.resolve()),
      recheckPermissions: fromPromise(({ signal }) => session.permissions(signal)),
      renewToken: fromPromise(() => session.renew()),
      signOut: filled(async ({ place }: { place: string | null }) => {
        news.dispose();
        sessionStorage.removeItem(clinicKey);
        queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'welcome' });
        await session.signOut(place);
      }),
      watchSession: fromCallback<EventObject, { permission: readonly string[] }>(({ input, sendBack }) => {
        const tellRefused = (failure: Failure) => sendBack({ type: 'token.refused', failure });
        const tellEnded = () => sendBack({ type: 'session.ended-elsewhere' });
        // What other tabs did while this one slept is not always told.
        const tellWoke = () => {
          const now = session.now();
          if (now) sendBack({ type: 'page.woke', renewInMs: now.renewInMs });
          else tellEnded();
        };
        refusals.add(tellRefused);
        const leaves = [
          () => refusals.delete(tellRefused),
          watchSignOut(tokens.storageKey, tellEnded),
          watchWaking(tellWoke),
          keepFresh(account, mayDo(input.permission, 'role.get')),
        ];
        if (!session.now()) tellEnded();
        return () => {
          for (const leave of leaves) leave();
        };
      }),
    },
  });
};

export const wiredConnection = ({ hub, news }: Services) => {
  let openedBefore = false;
  return connectionMachine.provide({
    actors: {
      listenToHub: fromCallback(({ sendBack }) =>
        hub({
          onOpened: () => {
            if (openedBefore) news.missed();
            openedBefore = true;
            sendBack({ type: 'connection.opened' });
          },
          onLost: () => sendBack({ type: 'connection.lost' }),
          onClosed: () => sendBack({ type: 'connection.closed' }),
          onNews: (heard) => {
            news.hear(heard);
            sendBack({ type: 'news.heard', news: heard });
          },
        }),
      ),
    },
  });
};
