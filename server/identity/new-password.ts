import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { AccountPolicy } from '../../contract/account-policy.ts';
import type { Account } from '../db/stores/account-store.ts';
import { ProblemError } from '../domain/problem-error.ts';

/** Loaded when first needed: the lists take some megabytes of memory. */
let estimator: Promise<ZxcvbnFactory> | undefined;
const loadEstimator = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory: Estimator }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Estimator({ dictionary, graphs: adjacencyGraphs });
};

/** zxcvbn scores 0 and 1: found within a million guesses. */
const lowestScore = 2;

/**
 * Checks a new password by the policy for its account, in addition to the contract.
 * Easily guessed are names and e-mail address of the user, and the names of clinic and product.
 * @throws ProblemError 'invalid-request' of `password`: `min`, or `rule` 'common'
 */
export const ensureAllowedPassword = async (
  { minPasswordLength, refuseCommonPasswords }: AccountPolicy,
  password: string,
  { email, firstName, lastName }: Pick<Account, 'email' | 'firstName' | 'lastName'>,
  clinic: string | null,
): Promise<void> => {
  if (password.length < minPasswordLength)
    throw new ProblemError('invalid-request', [{ fieldKey: 'password', vars: { min: minPasswordLength } }]);
  if (!refuseCommonPasswords) return;
  estimator ??= loadEstimator();
  const { score } = (await estimator).check(
    password,
    ['Dentarium', clinic ?? '', email, firstName, lastName]
      .flatMap((text) => text.split(/[@.\s-]+/))
      .filter((word) => word.length > 2),
  );
  if (score < lowestScore)
    throw new ProblemError('invalid-request', [{ fieldKey: 'password', vars: { rule: 'common' } }]);
};
