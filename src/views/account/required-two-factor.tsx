import { Button } from '@mantine/core';
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/notice.tsx';
import classes from './account.module.css';

interface RequiredTwoFactorProps {
  readonly onSetUp: () => void;
  readonly onPasskey: () => void;
  readonly onSignOut: () => void;
  /** The wizard, while it is open. */
  readonly children: ReactNode;
}

/** Shown instead of every page until the user has the two-factor authentication that clinic or role require. */
export const RequiredTwoFactor = ({ onSetUp, onPasskey, onSignOut, children }: RequiredTwoFactorProps) => {
  const { t } = useTranslation('account');
  return (
    <main id="content" className={classes.required} tabIndex={-1}>
      <Notice
        isPage
        title={t('requiredTitle')}
        text={t('requiredLead')}
        icon={<IconShieldCheck aria-hidden="true" />}
        action={
          <div className={classes.buttons}>
            <Button variant="default" onClick={onSignOut}>
              {t('signOut')}
            </Button>
            <Button variant="default" onClick={onPasskey}>
              {t('addPasskey')}
            </Button>
            <Button data-autofocus onClick={onSetUp}>
              {t('setUpNow')}
            </Button>
          </div>
        }
      />
      {children}
    </main>
  );
};

interface DueNoticeProps {
  /** `YYYY-MM-DD` */
  readonly from: string;
  readonly onSetUp: () => void;
  readonly onLater: () => void;
}

/** Announces that two-factor authentication will be required. */
export const TwoFactorDue = ({ from, onSetUp, onLater }: DueNoticeProps) => {
  const { t } = useTranslation('account');
  return (
    <div role="status" className={classes.due}>
      <p>{t('dueNotice', { date: from })}</p>
      <Button size="compact-sm" variant="default" onClick={onSetUp}>
        {t('setUp')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onLater}>
        {t('later')}
      </Button>
    </div>
  );
};
