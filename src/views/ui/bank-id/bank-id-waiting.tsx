import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BankIdHint } from '../../../../contract/bank-id-orders.ts';
import { authButtonClass } from '../auth-controls.tsx';
import { QrCode } from '../qr-code.tsx';
import classes from './bank-id.module.css';

export type BankIdDevice = 'thisDevice' | 'otherDevice';

interface BankIdWaitingProps {
  readonly device: BankIdDevice;
  /** Content of the animated QR code; null when it is not needed. */
  readonly qr: string | null;
  /** Null until the order has started. */
  readonly hint: BankIdHint | null;
  /** Opens the app on this device; null until the order has started. */
  readonly autoStartUrl: string | null;
  readonly onDevice: (device: BankIdDevice) => void;
}

const isBeforeApp = (hint: BankIdHint | null) =>
  hint === null || hint === 'outstandingTransaction' || hint === 'noClient';

/** Shows the QR code for another device, the link to the app on this one, and instructions. */
export const BankIdWaiting = ({ device, qr, hint, autoStartUrl, onDevice }: BankIdWaitingProps) => {
  const { t } = useTranslation('bank-id');
  const [opened, setOpened] = useState(false);
  const here = device === 'thisDevice';
  const isOpeningApp = isBeforeApp(hint);
  const statusText = () => {
    if (hint === null) return t('starting');
    if (!isOpeningApp) return t(`hint-${hint}`);
    if (!here) return t('scan');
    return opened ? t('opening') : t(`hint-${hint}`);
  };
  return (
    <div className={classes.waiting}>
      {!here && (
        <div className={classes.place} data-empty={qr === null || !isOpeningApp || undefined}>
          {qr !== null && isOpeningApp ? (
            <QrCode text={qr} label={t('qrLabel')} correction="low" />
          ) : (
            <span className={classes.progress} />
          )}
        </div>
      )}
      <p role="status" className={classes.hint} data-urgent={!isOpeningApp || undefined}>
        {statusText()}
      </p>
      {!here && isOpeningApp && <p className={classes.note}>{t('scanHow')}</p>}
      {here && isOpeningApp && autoStartUrl && (
        <a href={autoStartUrl} className={authButtonClass} onClick={() => setOpened(true)}>
          {opened ? t('openAgain') : t('thisDevice')}
        </a>
      )}
      {here && opened && <p className={classes.note}>{t('comeBack')}</p>}
      {isOpeningApp && autoStartUrl && !here && (
        <a
          href={autoStartUrl}
          className={authButtonClass}
          data-secondary
          onClick={() => {
            setOpened(true);
            onDevice('thisDevice');
          }}
        >
          {t('thisDevice')}
        </a>
      )}
      {here && isOpeningApp && (
        <button type="button" className={authButtonClass} data-secondary onClick={() => onDevice('otherDevice')}>
          {t('otherDevice')}
        </button>
      )}
    </div>
  );
};
