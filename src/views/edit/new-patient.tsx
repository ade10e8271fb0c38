import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PatientForm } from '../forms/patient-form.tsx';
import { useReading } from '../reading.tsx';
import { EditModal } from './edit-modal.tsx';

interface NewPatientProps {
  readonly clinicId: string;
  readonly onClose: () => void;
  readonly onMade: (patientId: string) => void;
}

/** Adds a patient to the clinic. */
export const NewPatient = ({ clinicId, onClose, onMade }: NewPatientProps) => {
  const { t } = useTranslation('new-patient');
  const reading = useReading();
  const [dirty, setDirty] = useState(false);
  return (
    <EditModal title={t('title')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <PatientForm
          known={null}
          submit={t('submit')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={null}
          onSubmit={async (fields) => {
            const { id } = await reading.createPatient({ customerId: clinicId, ...fields });
            onClose();
            onMade(id);
          }}
        />
      )}
    </EditModal>
  );
};
