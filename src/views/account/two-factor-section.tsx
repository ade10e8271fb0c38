import { Button } from '@mantine/core';
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs';
import IconShieldOff from '@tabler/icons-react/dist/esm/icons/IconShieldOff.mjs';
import { useTranslation } from 'react-i18next';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './account.module.css';

export interface TwoFactorState {
  readonly isOn: boolean;
  /** Recovery codes that are not used yet. */
  readonly codesLeft: number;
}

/** So few recovery codes that new ones should be made. */
const fewCodes = 2;

/** Whether signing in by password asks for a second factor, and how many ways in are left without the phone. */
export const TwoFactorSection = ({
  state: { isOn, codesLeft },
  onWish,
}: {
  state: TwoFactorState;
  onWish: (wish: 'turn-on' | 'turn-off') => void;
}) => {
  const { t } = useTranslation('account');
  const left = t('codesLeft', { count: codesLeft });
  return (
    <section className={classes.part}>
      <h3 className={classes.heading}>{t('twoFactor')}</h3>
      <div className={classes.factor}>
        <span className={classes.state} data-on={isOn || undefined}>
          {isOn ? <IconShieldCheck aria-hidden="true" /> : <IconShieldOff aria-hidden="true" />}
          {t(isOn ? 'twoFactorOn' : 'twoFactorOff')}
        </span>
        <Button variant="default" onClick={() => onWish(isOn ? 'turn-off' : 'turn-on')}>
          {t(isOn ? 'turnOff' : 'setUp')}
        </Button>
      </div>
      {!isOn && <p className={classes.quiet}>{t('twoFactorHelp')}</p>}
      {isOn && codesLeft > fewCodes && <p className={classes.quiet}>{left}</p>}
      {isOn && codesLeft <= fewCodes && (
        <IconAlert tone="caution">
          {left}. {t('fewCodes')}
        </IconAlert>
      )}
    </section>
  );
};
