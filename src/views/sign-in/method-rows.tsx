import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfferedMethod, SignInMethod } from '../../../contract/sign-in.ts';
import { MethodMark } from './method-mark.tsx';
import classes from './method-rows.module.css';

/** BankID is what most people in Sweden hold in the hand; elsewhere the archive's own order stands. */
export const inOrderFor = (language: string, methods: readonly OfferedMethod[]): readonly OfferedMethod[] =>
  language === 'sv'
    ? [...methods].sort((one, other) => Number(other.method === 'bankid') - Number(one.method === 'bankid'))
    : methods;

interface MethodRowsProps {
  readonly methods: readonly OfferedMethod[];
  readonly passwordOpen: boolean;
  /** The method to which the browser is on its way: nothing else can be chosen meanwhile. */
  readonly leavingTo: SignInMethod | null;
  readonly onChoose: (method: SignInMethod) => void;
  /** The form below its own row. */
  readonly passwordForm: ReactNode;
}

/** The ways to sign in, as big rows. */
export const MethodRows = ({ methods, passwordOpen, leavingTo, onChoose, passwordForm }: MethodRowsProps) => {
  const { t, i18n } = useTranslation('sign-in');
  const form = useId();
  return (
    <ul className={classes.rows} aria-label={t('methods')}>
      {inOrderFor(i18n.language, methods).map(({ method, label, test }) => {
        const isPassword = method === 'password';
        const name = label ?? t(`name-${method}`);
        const isNext = leavingTo === method;
        return (
          <li key={method} className={classes.item}>
            <button
              type="button"
              className={classes.row}
              aria-busy={isNext || undefined}
              aria-disabled={leavingTo !== null || undefined}
              aria-expanded={isPassword ? passwordOpen : undefined}
              aria-controls={isPassword && passwordOpen ? form : undefined}
              onClick={() => leavingTo === null && onChoose(method)}
            >
              <MethodMark method={method} />
              <span className={classes.words}>
                <span className={classes.name}>{name}</span>
                <span className={classes.how}>{isNext ? t('leaving', { name }) : t(`how-${method}`)}</span>
                {test && <span className={classes.test}>{t('testServer')}</span>}
              </span>
              <svg className={classes.chevron} viewBox="0 0 20 20" aria-hidden="true">
                <path d="m8 5 5 5-5 5" />
              </svg>
            </button>
            {isPassword && passwordOpen && (
              <div id={form} className={classes.form}>
                {passwordForm}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
};

/** What stands where the rows will be, of about their size. */
export const RowsToCome = ({ text }: { text: string }) => (
  <div className={classes.toCome} role="status">
    <span className={classes.hidden}>{text}</span>
  </div>
);
