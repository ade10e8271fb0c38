import { password } from '../../../contract/bounds.ts';

/** What a password needs, as section 5 of the archive's rules has it. */
export const passwordRules = ['length', 'digit', 'lowercase', 'uppercase', 'symbol'] as const;
export type PasswordRule = (typeof passwordRules)[number];

/** The rules that a text does not meet yet; the contract judges, so that browser and archive never differ. */
export const unmetRules = (text: string): ReadonlySet<PasswordRule> =>
  new Set(
    (password.safeParse(text).error?.issues ?? []).map(
      ({ message }) => passwordRules.find((rule) => rule === message) ?? 'length',
    ),
  );
