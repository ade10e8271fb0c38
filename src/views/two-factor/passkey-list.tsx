import { Button, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Passkey } from '../../../contract/passkeys.ts';
import { minuteText } from '../ui/dates.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { supportsPasskeys } from '../ui/supports-passkeys.ts';
import classes from './two-factor.module.css';

interface PasskeyListProps {
  /** Undefined while loading. */
  readonly list: { readonly isAvailable: boolean; readonly passkeys: readonly Passkey[] } | undefined;
  /** False while two-factor authentication must be set up first. */
  readonly canChange: boolean;
  readonly onAdd: () => void;
  readonly onRename: (passkey: Passkey) => void;
  readonly onRemove: (passkey: Passkey) => void;
}

/** Lists the passkeys of the user, with what can be done with them. */
export const PasskeyList = ({ list, canChange, onAdd, onRename, onRemove }: PasskeyListProps) => {
  const { t } = useTranslation(['two-factor', 'failure', 'help']);
  if (!list) return <Skeleton height={64} />;
  const { isAvailable, passkeys } = list;
  const isSupported = supportsPasskeys();
  return (
    <div className={classes.step}>
      <p>{t('passkeysText')}</p>
      {!isAvailable && (
        <IconAlert tone="caution">
          {t('failure:passkey-unavailable')}. {t('help:passkey-unavailable')}
        </IconAlert>
      )}
      {isAvailable && !isSupported && <IconAlert tone="caution">{t('passkeysUnsupported')}</IconAlert>}
      {passkeys.length === 0 ? (
        <p className={classes.dimmed}>{t('noPasskeys')}</p>
      ) : (
        <ul className={classes.passkeys} aria-label={t('passkeys')}>
          {passkeys.map((passkey) => {
            const { id, name, createdAt, usedAt } = passkey;
            return (
              <li key={id} className={classes.passkey}>
                <div>
                  <p className={classes.passkeyName}>{name}</p>
                  <p className={classes.dimmed}>{t('addedAt', { time: minuteText(createdAt) })}</p>
                  <p className={classes.dimmed}>
                    {usedAt ? t('usedAt', { time: minuteText(usedAt) }) : t('neverUsed')}
                  </p>
                </div>
                {canChange && (
                  <div className={classes.ways}>
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={t('renameOne', { name })}
                      onClick={() => onRename(passkey)}
                    >
                      {t('rename')}
                    </Button>
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={t('removeOne', { name })}
                      onClick={() => onRemove(passkey)}
                    >
                      {t('remove')}
                    </Button>
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {isAvailable && isSupported && (
        <div className={classes.buttons}>
          <Button data-autofocus onClick={onAdd}>
            {t('addPasskey')}
          </Button>
        </div>
      )}
    </div>
  );
};
