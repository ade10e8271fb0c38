import type { AccountPolicy } from '../../contract/account-policy.ts';
import type { Restriction } from '../../contract/route.ts';

export interface SessionState {
  readonly policy: AccountPolicy;
  readonly twoFactorEnabled: boolean;
  /** The sign-in method is two-factor authentication in itself. */
  readonly isStrong: boolean;
  /** ISO 8601, as the next two; null when unknown. */
  readonly startedAt: string | null;
  readonly usedAt: string | null;
  readonly lockedAt: string | null;
}

const minute = 60_000;

const isPast = (since: string | null, limitMs: number, now: Date): boolean =>
  since !== null && now.getTime() - Date.parse(since) > limitMs;

/** Returns whether a session is older than its policy allows. */
export const isTooLong = ({ policy, startedAt }: SessionState, now: Date): boolean =>
  policy.sessionHours !== null && isPast(startedAt, policy.sessionHours * 60 * minute, now);

/** Returns whether a session was not used for longer than its policy allows: an open page checks its rights every half minute, and locks itself without input. */
export const isLeftIdle = ({ policy, usedAt }: SessionState, now: Date): boolean =>
  policy.idleMinutes !== null && isPast(usedAt, (policy.idleMinutes + 1) * minute, now);

/** Returns whether a policy requires two-factor authentication today. */
export const isTwoFactorDue = ({ twoFactorFrom }: AccountPolicy, now: Date): boolean =>
  twoFactorFrom !== null && now.toISOString().slice(0, 10) >= twoFactorFrom;

/** Returns why a session may call only a few routes. */
export const restrictionOf = (session: SessionState, now: Date): Restriction | null => {
  const { policy, lockedAt, twoFactorEnabled, isStrong } = session;
  if (lockedAt !== null || isLeftIdle(session, now)) return 'session-locked';
  return isTwoFactorDue(policy, now) && !twoFactorEnabled && !isStrong ? 'two-factor-needed' : null;
};
