import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import { useGround } from '../ground.tsx';
import { type ToldFailure, useFailureText } from '../language/failure-text.ts';
import { failureOfQuery } from '../reading.tsx';
import { leaveFor } from './leave-for.ts';

export interface Interaction {
  readonly uid: string;
  /** Who asks for the sign-in; null until it is known. */
  readonly clientName: string | null;
  /** What the client asked for; null when the person chooses. */
  readonly method: SignInMethod | null;
  /** What is still asked of the person after a proof; null before it. */
  readonly outcome: InteractionOutcome | null;
  /** The archive has not yet said what it is about. */
  readonly unknown: boolean;
  readonly away: boolean;
  /** It was given up by its time, or belongs to another browser. */
  readonly expired: boolean;
  readonly busy: boolean;
  /** Why the last attempt failed, in words. */
  readonly failure: string | null;
  readonly askAgain: () => void;
  /** A proof came by another way than `attempt`. */
  readonly proved: (outcome: InteractionOutcome) => void;
  /** A way of its own came to a failure: tells whether the interaction itself is over. */
  readonly failed: (failure: ToldFailure) => void;
  /** Makes a call of the interaction and goes where its answer says. */
  readonly attempt: (work: () => Promise<InteractionOutcome>) => void;
  /** Does other work in the same way; answers whether it was done. */
  readonly during: (work: () => Promise<void>) => Promise<boolean>;
  /** Back to the choice of a way, wherever that is. */
  readonly chooseAnother: () => void;
}

const askAgainMs = 5_000;
const expiredCode = 'sign-in-expired' satisfies ProblemCode;

/** One authorization request that waits for the person at the screen. */
export const useInteraction = (uid: string): Interaction => {
  const { signIn } = useGround();
  const { t } = useTranslation('sign-in');
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const failureText = useFailureText();
  const [outcome, setOutcome] = useState<InteractionOutcome | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [gone, setGone] = useState(false);
  const queryKey = ['interaction', uid];
  const details = useQuery({
    queryKey,
    queryFn: () => signIn.details(uid),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === 'error' && !hasExpired(state.error) ? askAgainMs : false),
  });
  const now = outcome ?? details.data?.pending ?? null;
  const proved = (next: InteractionOutcome) => {
    setOutcome(next);
    if (next.outcome === 'finished') leaveFor(next.redirectTo);
  };
  const during = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      const told = failureOfQuery(error);
      if (hasExpired(error)) setGone(true);
      else setFailure(told.kind === 'offline' ? t('loginServer') : failureText(told));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    uid,
    clientName: details.data?.clientName ?? null,
    method: details.data?.method ?? null,
    outcome: now,
    unknown: details.isPending,
    away: !details.data && details.failureCount > 0 && !hasExpired(details.failureReason),
    expired: gone || hasExpired(details.error),
    busy,
    failure,
    askAgain: () => void details.refetch(),
    proved,
    failed: ({ code }) => {
      if (code === expiredCode) setGone(true);
    },
    attempt: (work) => void during(async () => proved(await work())),
    during,
    chooseAnother: () => {
      if (details.data && details.data.method === null) {
        setOutcome(null);
        setFailure(null);
        client.setQueryData(queryKey, { ...details.data, pending: null });
        navigate(`/authorization?interaction=${uid}`);
      } else
        signIn.abort(uid).then(
          ({ redirectTo }) => leaveFor(redirectTo),
          () => navigate('/authorization'),
        );
    },
  };
};

const hasExpired = (error: unknown): boolean => error !== null && failureOfQuery(error).code === expiredCode;
