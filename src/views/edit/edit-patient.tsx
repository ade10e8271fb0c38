import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import { type DraftSubject, draftKey, useDrafts } from '../app/drafts-context.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { PatientForm } from '../forms/patient-form.tsx';
import { useEditedRecord } from '../forms/use-form-submit.ts';
import { Changes } from './changes.tsx';
import { EditModal } from './edit-modal.tsx';

interface EditPatientProps {
  readonly patient: Patient;
  /** Whether the user may remove the mark of a protected identity. */
  readonly canUnprotect: boolean;
  readonly onClose: () => void;
}

/** Edits the details of a patient. */
export const EditPatient = ({ patient, canUnprotect, onClose }: EditPatientProps) => {
  const { t } = useTranslation('edit');
  const queries = useAppQueries();
  const drafts = useDrafts();
  const [dirty, setDirty] = useState(false);
  const { known, formKey, loadLatest } = useEditedRecord(
    patient,
    () => queries.patient(patient.id),
    (reply) => reply,
  );
  const { firstName, lastName } = patient.mainInfo;
  const subject: DraftSubject = { kind: 'edit-patient', name: `${firstName} ${lastName}`, patientId: patient.id };
  const key = draftKey(subject, patient.id);
  const close = () => {
    drafts.drop(key);
    onClose();
  };
  return (
    <EditModal title={t('edit-patient')} dirty={dirty} onClose={close}>
      {(leave) => (
        <>
          <PatientForm
            key={formKey}
            known={known.mainInfo}
            submit={t('save')}
            canUnprotect={canUnprotect}
            onDirty={setDirty}
            onCancel={leave}
            onLoadLatest={() => {
              drafts.drop(key);
              loadLatest();
            }}
            draft={{ key, what: subject }}
            onSubmit={async (fields) => {
              await queries.updatePatient({ id: known.id, version: known.version, ...fields });
              close();
            }}
          />
          <Changes key={patient.id} subject="patient" id={patient.id} />
        </>
      )}
    </EditModal>
  );
};
