import { type EventObject, fromCallback, fromPromise } from 'xstate';
import { mayDo } from '../../contract/claims.ts';
import type { SignInMethod } from '../../contract/sign-in.ts';
import { sessionMachine } from '../machines/session/session.machine.ts';
import type { Failure } from '../services/failure.ts';
import { watchSignOut } from '../services/tabs.ts';
import { watchWaking } from '../services/waking.ts';
import { filled } from './filled.ts';
import { clinicKey, type Services } from './services.ts';

/** `enter`: brings what a session needs beside the account; whoever signs in waits for both at once. */
export const wiredSession = (services: Services, enter: () => Promise<unknown>) => {
  const { session, tokens, refusals, queryClient, news, account } = services;
  return sessionMachine.provide({
    actors: {
      restoreSession: fromPromise(() => session.restore()),
      signIn: filled(({ email, password, code }: { email: string; password: string; code: string | null }) => {
        // Whether it came is asked when somebody is taken in.
        enter().catch(() => {});
        return session.signIn(email, password, code);
      }),
      startSignIn: filled(({ method, place }: { method: SignInMethod; place: string | null }) =>
        session.leaveFor(method, place),
      ),
      resolveAccount: fromPromise(async () => {
        const [account] = await Promise.all([session.resolve(), enter()]);
        return account;
      }),
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
          account.keepFresh(mayDo(input.permission, 'role.get')),
        ];
        if (!session.now()) tellEnded();
        return () => {
          for (const leave of leaves) leave();
        };
      }),
    },
  });
};
