import { type EventObject, fromCallback, fromPromise } from 'xstate';
import { connectionMachine } from '../machines/connection/connection.machine.ts';
import { sessionMachine } from '../machines/session/session.machine.ts';
import type { Failure } from '../services/failure.ts';
import { watchSignOut } from '../services/tabs.ts';
import { filled } from './filled.ts';
import { clinicKey, type Services } from './services.ts';

export const wiredSession = ({ session, tokens, refusals, queryClient, news }: Services) =>
  sessionMachine.provide({
    actors: {
      restoreSession: fromPromise(() => session.restore()),
      signIn: filled(({ email, password, code }: { email: string; password: string; code: string | null }) =>
        session.signIn(email, password, code),
      ),
      resolveAccount: fromPromise(() => session.resolve()),
      recheckPermissions: fromPromise(({ signal }) => session.permissions(signal)),
      renewToken: fromPromise(() => session.renew()),
      signOut: fromPromise(async ({ input }: { input: { elsewhere: boolean } }) => {
        news.dispose();
        sessionStorage.removeItem(clinicKey);
        queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'welcome' });
        // The store is the other tab's by now: somebody may have signed in there already.
        if (!input.elsewhere) await session.signOut();
      }),
      watchSession: fromCallback<EventObject, { accountId: string }>(({ sendBack }) => {
        const tellRefused = (failure: Failure) => sendBack({ type: 'token.refused', failure });
        refusals.add(tellRefused);
        const leave = watchSignOut(tokens.storageKey, () => sendBack({ type: 'session.ended-elsewhere' }));
        return () => {
          refusals.delete(tellRefused);
          leave();
        };
      }),
    },
  });

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
