import { Button, Checkbox } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs';
import { useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import {
  selectAreCodesSaved,
  selectIsWarned,
  selectRecoveryCodes,
  type TwoFactorActor,
} from '../../machines/two-factor/two-factor.machine.ts';
import { today } from '../ui/dates.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { CopyButton, saveText } from './key-step.tsx';
import classes from './two-factor.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** E-mail address of the account. */
  readonly email: string;
  /** The user confirmed that the codes are saved. */
  readonly isConfirmed: boolean;
  /** The user tried to leave before. */
  readonly isWarned: boolean;
  readonly onConfirmed: (confirmed: boolean) => void;
  readonly onFinish: () => void;
}

/** Warns before the tab is closed: the codes cannot be shown again. */
const useWarningBeforeUnload = (warns: boolean): void => {
  useEffect(() => {
    if (!warns) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [warns]);
};

/** Shows the recovery codes once; the user confirms that they are saved. */
export const RecoveryCodes = (props: RecoveryCodesProps) => {
  const { codes, email, isConfirmed, isWarned, onConfirmed, onFinish } = props;
  const { t } = useTranslation('two-factor');
  useWarningBeforeUnload(!isConfirmed && codes.length > 0);
  const head = [t('codesOf', { email }), t('madeOn', { date: today() })];
  const text = [...head, t('eachOnce'), '', ...codes, ''].join('\r\n');
  return (
    <div className={classes.step}>
      <p>{t('codesText')}</p>
      <ul className={classes.codes} aria-label={t('codes')} translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.ways}>
        <CopyButton text={codes.join('\n')} label={t('copyCodes')} />
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden="true" />}
          onClick={() => saveText(`${t('fileName')}.txt`, text)}
        >
          {t('download')}
        </Button>
        <Button variant="default" leftSection={<IconPrinter aria-hidden="true" />} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </div>
      <Checkbox
        label={t('haveSaved')}
        checked={isConfirmed}
        onChange={(event) => onConfirmed(event.currentTarget.checked)}
      />
      <div aria-live="assertive">{isWarned && <IconAlert tone="caution">{t('notSaved')}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button onClick={onFinish}>{t('finish')}</Button>
      </div>
      {createPortal(
        <div className={classes.sheet} data-print-sheet aria-hidden="true">
          <h1>{t('codes')}</h1>
          {head.map((line) => (
            <p key={line}>{line}</p>
          ))}
          <p>{t('eachOnce')}</p>
          <ol>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
        </div>,
        document.body,
      )}
    </div>
  );
};

/** Last step of the wizard. */
export const CodesStep = ({ actor, email }: { readonly actor: TwoFactorActor; readonly email: string }) => (
  <RecoveryCodes
    codes={useSelector(actor, selectRecoveryCodes)}
    email={email}
    isConfirmed={useSelector(actor, selectAreCodesSaved)}
    isWarned={useSelector(actor, selectIsWarned)}
    onConfirmed={(confirmed) => actor.send({ type: 'confirmation.changed', confirmed })}
    onFinish={() => actor.send({ type: 'codes.finished' })}
  />
);
