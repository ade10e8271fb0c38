import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery } from '../app/queries-context.tsx';
import { type ReportedFailure, useFailureText } from '../language/failure-text.ts';
import { leaveFor } from './leave-for.ts';

export interface Interaction {
  readonly uid: string;
  /** The requesting client; null until loaded. */
  readonly clientName: string | null;
  /** The method requested by the client; null when the user chooses. */
  readonly method: SignInMethod | null;
  /** Remaining steps after identification; null before it. */
  readonly outcome: InteractionOutcome | null;
  /** The interaction is loading. */
  readonly unknown: boolean;
  readonly away: boolean;
  /** It expired, or belongs to another browser. */
  readonly expired: boolean;
  readonly busy: boolean;
  /** Error of the last attempt. */
  readonly failure: string | null;
  readonly retry: () => void;
  /** Reports that the user was identified by a call other than `attempt`. */
  readonly proved: (outcome: InteractionOutcome) => void;
  /** Reports a failure of another call; returns whether the interaction itself is over. */
  readonly failed: (failure: ReportedFailure) => void;
  /** Makes a call of the interaction and follows its reply. */
  readonly attempt: (work: () => Promise<InteractionOutcome>) => void;
  /** Runs other work in the same way; returns whether it succeeded. */
  readonly during: (work: () => Promise<void>) => Promise<boolean>;
  /** Returns to the choice of a method. */
  readonly chooseAnother: () => void;
}

const retryMs = 5_000;
const expiredCode = 'sign-in-expired' satisfies ProblemCode;

/** Returns a pending authorization request and its actions. */
export const useInteraction = (uid: string): Interaction => {
  const { signIn } = useAppContext();
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
    refetchInterval: ({ state }) => (state.status === 'error' && !hasExpired(state.error) ? retryMs : false),
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
      const loadFailure = failureOfQuery(error);
      if (hasExpired(error)) setGone(true);
      else setFailure(loadFailure.kind === 'offline' ? t('loginServer') : failureText(loadFailure));
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
    retry: () => void details.refetch(),
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
