import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BankIdHint } from '../../../contract/interactions.ts';
import { entryButtonClass } from '../parts/entry-button.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import classes from './bank-id.module.css';

export type BankIdDevice = 'thisDevice' | 'otherDevice';

interface BankIdWaitingProps {
  readonly device: BankIdDevice;
  /** What the code shows at this second; null when it is not (or no longer) needed. */
  readonly qr: string | null;
  /** Null until the order has begun. */
  readonly hint: BankIdHint | null;
  /** Opens the app of this device; null until the order has begun. */
  readonly autoStartUrl: string | null;
  readonly onDevice: (device: BankIdDevice) => void;
}

const isBeforeApp = (hint: BankIdHint | null) =>
  hint === null || hint === 'outstandingTransaction' || hint === 'noClient';

/** While BankID waits for its person: the code for another device, the way into the app of this one, and what to do now. */
export const BankIdWaiting = ({ device, qr, hint, autoStartUrl, onDevice }: BankIdWaitingProps) => {
  const { t } = useTranslation('bank-id');
  const [opened, setOpened] = useState(false);
  const here = device === 'thisDevice';
  const asked = isBeforeApp(hint);
  const told = () => {
    if (hint === null) return t('starting');
    if (!asked) return t(`hint-${hint}`);
    if (!here) return t('scan');
    return opened ? t('opening') : t(`hint-${hint}`);
  };
  return (
    <div className={classes.waiting}>
      {!here && (
        <div className={classes.place} data-empty={qr === null || !asked || undefined}>
          {qr !== null && asked ? (
            <QrCode text={qr} label={t('qrLabel')} correction="low" />
          ) : (
            <span className={classes.progress} />
          )}
        </div>
      )}
      <p role="status" className={classes.hint} data-urgent={!asked || undefined}>
        {told()}
      </p>
      {!here && asked && <p className={classes.aside}>{t('scanHow')}</p>}
      {here && asked && autoStartUrl && (
        <a href={autoStartUrl} className={entryButtonClass} onClick={() => setOpened(true)}>
          {opened ? t('openAgain') : t('thisDevice')}
        </a>
      )}
      {here && opened && <p className={classes.aside}>{t('comeBack')}</p>}
      {asked && autoStartUrl && !here && (
        <a
          href={autoStartUrl}
          className={entryButtonClass}
          data-quiet
          onClick={() => {
            setOpened(true);
            onDevice('thisDevice');
          }}
        >
          {t('thisDevice')}
        </a>
      )}
      {here && asked && (
        <button type="button" className={entryButtonClass} data-quiet onClick={() => onDevice('otherDevice')}>
          {t('otherDevice')}
        </button>
      )}
    </div>
  );
};
