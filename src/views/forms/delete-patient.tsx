import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import { BinQuestion } from './bin-question.tsx';
import { useBinMoves } from './use-bin-moves.ts';

interface DeletePatientProps {
  readonly patient: Patient;
  readonly onClose: () => void;
  /** The patient is in the recycle bin, and out again. */
  readonly onGone: () => void;
  readonly onBack?: () => void;
  /** The archive has done the one or the other. */
  readonly onDone?: () => void;
}

/** Asks before a patient goes into the recycle bin with all that is theirs; the toast that follows offers the way back. */
export const DeletePatient = ({ patient, onClose, onGone, onBack, onDone }: DeletePatientProps) => {
  const { t } = useTranslation('edit');
  const moves = useBinMoves({ onGone, ...(onBack && { onBack }), ...(onDone && { onDone }) });
  const name = `${patient.mainInfo.firstName} ${patient.mainInfo.lastName}`;
  return (
    <BinQuestion
      title={t('delete-patient')}
      name={name}
      lines={patient.totalStudies > 0 ? [t('studies', { count: patient.totalStudies })] : []}
      kept={t('patientInBin')}
      onYes={async () => {
        await moves.remove({ what: 'patient', id: patient.id, patientId: patient.id, name });
        onClose();
      }}
      onClose={onClose}
    />
  );
};
