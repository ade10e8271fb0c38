import IconBrandWindows from '@tabler/icons-react/dist/esm/icons/IconBrandWindows.mjs';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs';
import IconId from '@tabler/icons-react/dist/esm/icons/IconId.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs';
import IconQrcode from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfferedMethod, SignInMethod } from '../../../contract/sign-in.ts';
import { supportsPasskeys } from '../ui/supports-passkeys.ts';
import classes from './method-rows.module.css';

const marks = {
  bankid: IconQrcode,
  siths: IconId,
  aad: IconBrandWindows,
  sms: IconMessage,
  openid: IconBuilding,
  passkey: IconFingerprint,
  password: IconLock,
} as const satisfies Record<SignInMethod, unknown>;

/** Icon of a method. Generic icons are used, because brand logos are protected. */
const MethodMark = ({ method }: { method: SignInMethod }) => {
  const Mark = marks[method];
  return (
    <span className={classes.mark}>
      <Mark aria-hidden="true" />
    </span>
  );
};

/** Orders the methods: BankID first in Swedish, else the server's order. */
export const sortedFor = (language: string, methods: readonly OfferedMethod[]): readonly OfferedMethod[] =>
  language === 'sv'
    ? [...methods].sort((one, other) => Number(other.method === 'bankid') - Number(one.method === 'bankid'))
    : methods;

interface MethodRowsProps {
  readonly methods: readonly OfferedMethod[];
  readonly passwordOpen: boolean;
  /** The external method being opened; the others are disabled meanwhile. */
  readonly leavingTo: SignInMethod | null;
  readonly onChoose: (method: SignInMethod) => void;
  /** The form below its row. */
  readonly passwordForm: ReactNode;
}

/** Lists the sign-in methods as large buttons. */
const MethodRows = ({ methods, passwordOpen, leavingTo, onChoose, passwordForm }: MethodRowsProps) => {
  const { t, i18n } = useTranslation('sign-in');
  const form = useId();
  return (
    <ul className={classes.rows} aria-label={t('methods')}>
      {sortedFor(i18n.language, methods).map(({ method, label, test }) => {
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

/** Placeholder of the same size while the methods load. */
export const MethodRowsSkeleton = ({ text }: { text: string }) => (
  <div className={classes.toCome} role="status">
    <span className={classes.hidden}>{text}</span>
  </div>
);

/** Returns the methods that this browser can use. */
const usableMethods = (methods: readonly OfferedMethod[]): readonly OfferedMethod[] =>
  methods.filter(({ method }) => method !== 'passkey' || supportsPasskeys());

/** Returns whether a password is the only method that this browser can use; its form is then shown without rows. */
export const isPasswordOnly = (methods: readonly OfferedMethod[]): boolean => {
  const usable = usableMethods(methods);
  return usable.length === 1 && usable[0]?.method === 'password';
};

interface SignInMethodsProps extends Omit<MethodRowsProps, 'methods'> {
  /** Undefined while loading. */
  readonly methods: readonly OfferedMethod[] | undefined;
}

/** Offers the sign-in methods: as rows, or the password form alone. */
export const SignInMethods = ({ methods, ...rows }: SignInMethodsProps) => {
  const { t } = useTranslation('sign-in');
  if (!methods) return <MethodRowsSkeleton text={t('waiting')} />;
  return isPasswordOnly(methods) ? rows.passwordForm : <MethodRows {...rows} methods={usableMethods(methods)} />;
};
