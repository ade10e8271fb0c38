import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import { PatientForm } from '../forms/patient-form.tsx';
import { useKnown } from '../forms/use-known.ts';
import { type DraftMatter, draftKey, useDrafts } from '../kept-drafts.ts';
import { useReading } from '../reading.tsx';
import { EditModal } from './edit-modal.tsx';

/** Edits who a patient is. */
export const EditPatient = ({ patient, onClose }: { patient: Patient; onClose: () => void }) => {
  const { t } = useTranslation('edit');
  const reading = useReading();
  const drafts = useDrafts();
  const [dirty, setDirty] = useState(false);
  const { known, edition, loadTheirs } = useKnown(
    patient,
    () => reading.patient(patient.id),
    (theirs) => theirs,
  );
  const { firstName, lastName } = patient.mainInfo;
  const what: DraftMatter = { kind: 'edit-patient', name: `${firstName} ${lastName}`, patientId: patient.id };
  const key = draftKey(what, patient.id);
  const close = () => {
    drafts.drop(key);
    onClose();
  };
  return (
    <EditModal title={t('edit-patient')} dirty={dirty} onClose={close}>
      {(leave) => (
        <PatientForm
          key={edition}
          known={known.mainInfo}
          submit={t('save')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={() => {
            drafts.drop(key);
            loadTheirs();
          }}
          draft={{ key, what }}
          onSubmit={async (fields) => {
            await reading.updatePatient({ id: known.id, version: known.version, ...fields });
            close();
          }}
        />
      )}
    </EditModal>
  );
};
