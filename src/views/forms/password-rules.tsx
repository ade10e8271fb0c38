import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds, password } from '../../../contract/bounds.ts';
import type { ErrorItem } from '../../../contract/problem.ts';
import classes from './password-rules.module.css';

/** Password rules (section 5 of the specification). */
export const passwordRules = ['length', 'digit', 'lowercase', 'uppercase', 'symbol'] as const;
type PasswordRule = (typeof passwordRules)[number];

/** Returns the unmet rules. Validated by the contract schema, so that browser and server agree. */
export const unmetRules = (text: string): ReadonlySet<PasswordRule> =>
  new Set(
    (password.safeParse(text).error?.issues ?? []).map(
      ({ message }) => passwordRules.find((rule) => rule === message) ?? 'length',
    ),
  );

const [min, max] = bounds.password;
/** Locale key of each rule, in `password`. */
const ruleTexts = {
  length: 'ruleLength',
  digit: 'ruleDigit',
  lowercase: 'ruleLowercase',
  uppercase: 'ruleUppercase',
  symbol: 'ruleSymbol',
} as const;

/** Returns a function that words a password rejected by the archive: by the rules above, or by the stricter ones of clinic and role. */
export const usePasswordErrorText = () => {
  const { t } = useTranslation('password');
  return ({ vars }: Pick<ErrorItem, 'vars'>): string => {
    if (vars?.rule === 'common') return t('ruleCommon');
    const rule = passwordRules.find((one) => one === vars?.rule) ?? 'length';
    return t(ruleTexts[rule], { min: vars?.min ?? min, max });
  };
};

/** The password rules; each is checked while the password is typed. */
export const PasswordRuleList = ({ password }: { password: string }) => {
  const { t } = useTranslation('password');
  const rules = useId();
  const unmet = unmetRules(password);
  return (
    <div className={classes.rules}>
      <p id={rules}>{t('rules')}</p>
      <ul aria-labelledby={rules}>
        {passwordRules.map((rule) => {
          const met = password !== '' && !unmet.has(rule);
          return (
            <li key={rule} data-met={met || undefined}>
              <svg viewBox="0 0 16 16" role="img" aria-label={met ? t('met') : t('notMet')}>
                {met ? <path d="m3.5 8.5 3 3 6-7" /> : <circle cx="8" cy="8" r="2" />}
              </svg>
              {t(ruleTexts[rule], { min, max })}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
