import { createActor, fromCallback, fromPromise } from 'xstate';
import type { OfferedMethod, SignInMethod } from '../../contract/sign-in.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account } from '../../src/machines/session/session.rules.ts';
import type { Grant, SignIn } from '../../src/machines/session/session.setup.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';

export const refusedAs = (code: Extract<Failure, { kind: 'refused' }>['code'], status = 400): ServiceError =>
  new ServiceError({ kind: 'refused', status, code, errors: [] });

export const offered = (...methods: readonly SignInMethod[]): readonly OfferedMethod[] =>
  methods.map((method) => ({ method, label: null, test: false }));

/** A session without a user; `answer` replies to a password, `restore` to the initial restore. */
export const aSession = ({
  answer = async () => Promise.reject(refusedAs('incorrect-login')),
  restore = async () => null,
  signOut = async () => {},
}: {
  answer?: (submitted: SignIn) => Promise<Grant>;
  restore?: () => Promise<null>;
  signOut?: () => Promise<void>;
} = {}) => {
  const submitted: SignIn[] = [];
  const left: SignInMethod[] = [];
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        restoreSession: fromPromise<Grant | null, void>(restore),
        signIn: fromPromise(async ({ input }: { input: SignIn }) => {
          submitted.push(input);
          return answer(input);
        }),
        startSignIn: fromPromise<void, { method: SignInMethod; returnPath: string | null }>(async ({ input }) => {
          left.push(input.method);
          return new Promise<void>(() => {});
        }),
        signOut: fromPromise<void, { returnPath: string | null }>(signOut),
        resolveAccount: fromPromise<Account, void>(() => new Promise(() => {})),
        watchSession: fromCallback(() => {}),
      },
    }),
  ).start();
  return { actor, submitted, left };
};
