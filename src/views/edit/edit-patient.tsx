import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import { PatientForm } from '../forms/patient-form.tsx';
import { useReading } from '../reading.tsx';
import { EditModal } from './edit-modal.tsx';
import { useKnown } from './use-known.ts';

/** Edits who a patient is. */
export const EditPatient = ({ patient, onClose }: { patient: Patient; onClose: () => void }) => {
  const { t } = useTranslation('edit');
  const reading = useReading();
  const [dirty, setDirty] = useState(false);
  const { known, edition, loadTheirs } = useKnown(
    patient,
    () => reading.patient(patient.id),
    (theirs) => theirs,
  );
  return (
    <EditModal title={t('edit-patient')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <PatientForm
          key={edition}
          known={known.mainInfo}
          submit={t('save')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={loadTheirs}
          onSubmit={async (fields) => {
            await reading.updatePatient({ id: known.id, version: known.version, ...fields });
            onClose();
          }}
        />
      )}
    </EditModal>
  );
};
