import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './form.module.css';
import { useRecycleBin } from './use-recycle-bin.ts';

interface DeleteDialogProps {
  readonly title: string;
  /** Name of the record. */
  readonly name: string;
  /** Records deleted with it. */
  readonly lines: readonly string[];
  readonly note: string;
  /** Rejects with the server's error; the caller closes the dialog on success. */
  readonly onYes: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Confirms moving a record into the recycle bin. */
export const DeleteDialog = ({ title, name, lines, note, onYes, onClose }: DeleteDialogProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const failureText = useRecordFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const remove = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onYes();
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <p>{t('deleteQuestion', { name })}</p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p>{note}</p>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons} data-below-text>
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('shell:cancel')}
        </Button>
        <Button color="red.9" loading={busy} onClick={() => void remove()}>
          {t('delete')}
        </Button>
      </div>
    </Modal>
  );
};

interface DeletePatientProps {
  readonly patient: Patient;
  readonly onClose: () => void;
  /** The patient is in the recycle bin, and restored again. */
  readonly onGone: () => void;
  readonly onBack?: () => void;
  /** The server has completed the change. */
  readonly onDone?: () => void;
}

/** Confirms deleting a patient with all records; the toast that follows offers undo. */
export const DeletePatient = ({ patient, onClose, onGone, onBack, onDone }: DeletePatientProps) => {
  const { t } = useTranslation('edit');
  const moves = useRecycleBin({ onGone, ...(onBack && { onBack }), ...(onDone && { onDone }) });
  const name = `${patient.mainInfo.firstName} ${patient.mainInfo.lastName}`;
  return (
    <DeleteDialog
      title={t('delete-patient')}
      name={name}
      lines={patient.totalStudies > 0 ? [t('studies', { count: patient.totalStudies })] : []}
      note={t('patientInBin')}
      onYes={async () => {
        await moves.remove({ what: 'patient', id: patient.id, patientId: patient.id, name });
        onClose();
      }}
      onClose={onClose}
    />
  );
};
