import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import classes from './password-rule-list.module.css';
import { passwordRules, unmetRules } from './password-rules.ts';

const [min, max] = bounds.password;
/** What each rule is called, in the words of `password`. */
export const ruleTexts = {
  length: 'ruleLength',
  digit: 'ruleDigit',
  lowercase: 'ruleLowercase',
  uppercase: 'ruleUppercase',
  symbol: 'ruleSymbol',
} as const;

/** What a password needs; each rule ticks itself off while the password is written. */
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
