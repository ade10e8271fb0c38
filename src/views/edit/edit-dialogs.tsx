import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import type { Claim } from '../../../contract/claims.ts';
import type { Patient } from '../../../contract/patients.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { barringClaim, type EditActions, type EditKind, type EditWish, type Gone } from '../edit-wishes.ts';
import { useFailureText } from '../language/failure-text.ts';
import { lazily } from '../parts/lazily.ts';
import { useReading } from '../reading.tsx';
import { useRecordRights } from '../record-rights.ts';
import { useResumedWish } from './use-resumed-wish.ts';

const EditPatient = lazily(async () => (await import('./edit-patient.tsx')).EditPatient);
const EditStudy = lazily(async () => (await import('./edit-study.tsx')).EditStudy);
const EditImage = lazily(async () => (await import('./edit-image.tsx')).EditImage);
const EditViewset = lazily(async () => (await import('./edit-viewset.tsx')).EditViewset);
const DeleteRecord = lazily(async () => (await import('./delete-record.tsx')).DeleteRecord);
const DeletePatient = lazily(async () => (await import('../forms/delete-patient.tsx')).DeletePatient);
const NewViewset = lazily(async () => (await import('./new-viewset.tsx')).NewViewset);

interface EditDialogsProps {
  readonly session: SessionActor;
  readonly patientId: string;
  readonly onGone: (gone: Gone) => void;
  readonly onMade: (viewset: Viewset) => void;
  /** The patient went into the recycle bin; and came out again. */
  readonly onPatientGone: () => void;
  readonly onPatientBack: () => void;
  readonly renderMerge: (patient: Patient, onClose: () => void) => ReactNode;
  readonly children: (actions: EditActions) => ReactNode;
}

/** Why this person may not do what a limit of their role takes away, in words that name it; null when they may. */
const useBarred = (session: SessionActor, limit: Claim): string | null => {
  const failureText = useFailureText();
  const held = useSelector(session, selectMay(limit));
  return held ? failureText({ kind: 'refused', code: 'no-right', claims: [limit] }) : null;
};

/** The dialogs of a patient's page: one at a time, each fetched when it is first asked for. */
export const EditDialogs = (props: EditDialogsProps) => {
  const { session, patientId, onGone, onMade, onPatientGone, onPatientBack, renderMerge, children } = props;
  const [wish, setWish] = useState<EditWish | null>(null);
  const patient = useQuery(useReading().patient(patientId)).data;
  const { study, patient: wholePatient, merge } = useRecordRights(session);
  const viewset = useBarred(session, 'disable.delete_view_set');
  const series = useBarred(session, 'disable.new_series');
  const templateBarred = useBarred(session, 'disable.new_template');
  const studyBarred = useBarred(session, 'disable.new_study');
  const actions = useMemo(() => {
    const reasons: Readonly<Record<string, string | null | undefined>> = {
      'disable.delete_study': study,
      'disable.delete_view_set': viewset,
      'disable.new_series': series,
    };
    const barred = (kind: EditKind) => {
      if (kind === 'delete-patient') return wholePatient;
      if (kind === 'merge-patient') return merge;
      return reasons[barringClaim[kind] ?? ''] ?? null;
    };
    return {
      barred,
      ask: (wanted: EditWish) => {
        if (barred(wanted.kind) === null) setWish(wanted);
      },
    };
  }, [study, viewset, series, wholePatient, merge]);
  useResumedWish(patientId, actions.ask);
  const onClose = () => setWish(null);

  const dialog = () => {
    if (!wish) return null;
    switch (wish.kind) {
      case 'edit-patient':
        return <EditPatient patient={wish.patient} onClose={onClose} />;
      case 'delete-patient':
        return <DeletePatient patient={wish.patient} onClose={onClose} onGone={onPatientGone} onBack={onPatientBack} />;
      case 'merge-patient':
        return renderMerge(wish.patient, onClose);
      case 'edit-study':
        return <EditStudy study={wish.study} onClose={onClose} />;
      case 'edit-image':
        return <EditImage patientId={patientId} image={wish.image} slotTeeth={wish.slotTeeth} onClose={onClose} />;
      case 'edit-viewset':
        return <EditViewset viewsetId={wish.viewsetId} onClose={onClose} />;
      case 'new-viewset':
        return patient ? (
          <NewViewset
            patientId={patientId}
            customerId={patient.customerId}
            study={wish.study}
            barred={{ template: templateBarred, study: studyBarred }}
            onClose={onClose}
            onMade={onMade}
          />
        ) : null;
      default:
        return <DeleteRecord wish={wish} patientId={patientId} onClose={onClose} onGone={onGone} />;
    }
  };
  return (
    <>
      {children(actions)}
      <Suspense fallback={null}>{dialog()}</Suspense>
    </>
  );
};
