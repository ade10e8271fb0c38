import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './calibrate-dialog.module.css';
import { calibrationOf, knownLength } from './known-length.ts';
import { useNumberText } from './number-text.ts';

interface CalibrateDialogProps {
  /** The line that was drawn, in widths of an image pixel. */
  readonly lengthPixels: number;
  readonly onCalibrate: (calibration: { readonly mmPerPixel: number }) => void;
  readonly onClose: () => void;
}

/** Asks how long the line of the calibration tool is in truth. */
export const CalibrateDialog = ({ lengthPixels, onCalibrate, onClose }: CalibrateDialogProps) => {
  const { t } = useTranslation(['viewer', 'shell']);
  const numberText = useNumberText();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState(false);
  const length = knownLength(typed);
  const calibration = length === null ? null : calibrationOf(lengthPixels, length);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (calibration) onCalibrate(calibration);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('calibrateTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
      size="sm"
    >
      <form onSubmit={submit} noValidate>
        <TextInput
          data-autofocus
          label={t('knownLength')}
          description={t('knownLengthHelp', { pixels: numberText(lengthPixels, 0) })}
          inputMode="decimal"
          autoComplete="off"
          rightSection={t('unitMm')}
          value={typed}
          error={asked && !calibration ? t('knownLengthWrong') : null}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit">{t('calibrateNow')}</Button>
        </div>
      </form>
    </Modal>
  );
};
