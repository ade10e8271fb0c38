import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DraftSubject, draftKey, useDrafts } from '../app/drafts-context.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { PatientForm } from '../forms/patient-form.tsx';
import { EditModal } from './edit-modal.tsx';

interface NewPatientProps {
  readonly clinicId: string;
  readonly onClose: () => void;
  readonly onMade: (patientId: string) => void;
}

const what: DraftSubject = { kind: 'new-patient', name: '' };

/** Creates a patient in the clinic. */
export const NewPatient = ({ clinicId, onClose, onMade }: NewPatientProps) => {
  const { t } = useTranslation('new-patient');
  const queries = useAppQueries();
  const drafts = useDrafts();
  const [dirty, setDirty] = useState(false);
  const key = draftKey(what, clinicId);
  const close = () => {
    drafts.drop(key);
    onClose();
  };
  return (
    <EditModal title={t('title')} dirty={dirty} onClose={close}>
      {(leave) => (
        <PatientForm
          canUnprotect
          known={null}
          submit={t('submit')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadLatest={null}
          draft={{ key, what }}
          onSubmit={async (fields) => {
            const { id } = await queries.createPatient({ customerId: clinicId, ...fields });
            close();
            onMade(id);
          }}
        />
      )}
    </EditModal>
  );
};
