import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Stage } from '../../../viewer/index.ts';
import { KeyCaps } from '../../ui/key-caps.tsx';
import { lazyComponent } from '../../ui/lazy-component.ts';
import type { ShownPictures } from '../print/print-subject.ts';
import { useWorkspace } from '../workspace-context.ts';
import { useHistoryShortcuts, useKeyText, useMountShortcuts, viewerShortcuts } from './shortcuts.ts';
import type { OpenDialog } from './use-view-options.ts';
import classes from './viewer-dialogs.module.css';
import { useNumberText } from './viewer-texts.ts';

const BlinkDialog = lazyComponent(async () => (await import('../blink/blink-dialog.tsx')).BlinkDialog);
const PrintDialog = lazyComponent(async () => (await import('../print/print-dialog.tsx')).PrintDialog);
const SavePictureDialog = lazyComponent(
  async () => (await import('../print/save-picture-dialog.tsx')).SavePictureDialog,
);

const pictureDialogs = { blink: BlinkDialog, print: PrintDialog, 'save-picture': SavePictureDialog };

/** Parses millimetres with comma or point; null outside 0.01 to 1,000 mm. */
const knownLength = (typed: string): number | null => {
  const text = typed
    .trim()
    .replace(',', '.')
    .replace(/\s*mm$/i, '');
  if (!/^\d{1,4}(\.\d{1,4})?$/.test(text)) return null;
  const millimetres = Number(text);
  return millimetres >= 0.01 && millimetres <= 1000 ? millimetres : null;
};

/** Returns the calibration in which `lengthPixels` pixels are `lengthMm` long; null outside the contract's bounds. */
const calibrationOf = (lengthPixels: number, lengthMm: number): { readonly mmPerPixel: number } | null => {
  const mmPerPixel = lengthMm / lengthPixels;
  return mmPerPixel > 0 && mmPerPixel <= 100 ? { mmPerPixel } : null;
};

interface CalibrateDialogProps {
  /** Length of the drawn line in image pixels. */
  readonly lengthPixels: number;
  readonly onCalibrate: (calibration: { readonly mmPerPixel: number }) => void;
  readonly onClose: () => void;
}

/** Asks for the real length of the calibration line. */
const CalibrateDialog = ({ lengthPixels, onCalibrate, onClose }: CalibrateDialogProps) => {
  const { t } = useTranslation(['viewer', 'shell']);
  const numberText = useNumberText();
  const [typed, setTyped] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const length = knownLength(typed);
  const calibration = length === null ? null : calibrationOf(lengthPixels, length);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
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
          error={submitted && !calibration ? t('knownLengthWrong') : null}
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

/** All shortcuts, by purpose. */
const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('viewer');
  const pageShortcuts = [...useMountShortcuts(), ...useHistoryShortcuts()];
  const keyText = useKeyText();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('tool-shortcuts')}
      size={1160}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={classes.groups}>
        {[...pageShortcuts, ...viewerShortcuts(t)].map(({ title, shortcuts }) => (
          <section key={title} className={classes.group}>
            <h3>{title}</h3>
            <dl>
              {shortcuts.map(({ keys, text }) => (
                <div key={text}>
                  <dt>{text}</dt>
                  <dd>
                    <KeyCaps keys={keys} textOf={keyText} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
};

interface ViewerDialogProps {
  readonly dialog: OpenDialog;
  readonly stage: Stage | null;
  /** What is printed, saved or laid over each other; null without a stage. */
  readonly shown: ShownPictures | null;
  readonly onClose: () => void;
}

/** The open dialog of the viewer. */
export const ViewerDialog = ({ dialog, stage, shown, onClose }: ViewerDialogProps) => {
  const { viewer } = useWorkspace();
  if (dialog === 'print' || dialog === 'save-picture' || dialog === 'blink') {
    const Dialog = pictureDialogs[dialog];
    return (
      shown && (
        <Suspense fallback={null}>
          <Dialog shown={shown} onClose={onClose} />
        </Suspense>
      )
    );
  }
  if (dialog === 'shortcuts') return <ShortcutsDialog onClose={onClose} />;
  return (
    <CalibrateDialog
      lengthPixels={dialog.lengthPixels}
      onClose={() => {
        stage?.act({ type: 'abandon' });
        onClose();
      }}
      onCalibrate={(calibration) => {
        viewer.send({ type: 'image.calibrated', imageUid: dialog.id, calibration });
        // After calibrating the user measures.
        viewer.send({ type: 'tool.chosen', tool: 'length' });
        onClose();
      }}
    />
  );
};
