import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Suspense, useMemo } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { Claim } from '../../../contract/claims.ts';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { disablingClaim, type EditActions, type EditKind, type EditRequest, type Gone } from '../app/edit-requests.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { useRecordRights } from '../app/rights.ts';
import { useFailureText } from '../language/failure-text.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { locationWithout, type PatientLocation, patientPath } from './patient/patient-location.ts';
import { useWorkspace } from './workspace-context.ts';

const EditPatient = lazyComponent(async () => (await import('../edit/edit-patient.tsx')).EditPatient);
const EditStudy = lazyComponent(async () => (await import('../edit/edit-study.tsx')).EditStudy);
const EditImage = lazyComponent(async () => (await import('../edit/edit-image.tsx')).EditImage);
const EditViewset = lazyComponent(async () => (await import('../edit/edit-viewset.tsx')).EditViewset);
const DeleteRecord = lazyComponent(async () => (await import('../edit/delete-record.tsx')).DeleteRecord);
const DeletePatient = lazyComponent(async () => (await import('../forms/recycle-bin.tsx')).DeletePatient);
const NewViewset = lazyComponent(async () => (await import('../edit/new-viewset.tsx')).NewViewset);
const MergeDialog = lazyComponent(async () => (await import('../merge/merge-dialog.tsx')).MergeDialog);
const RecipientDialog = lazyComponent(async () => (await import('../gallery/recipient-dialog.tsx')).RecipientDialog);
const MountForRecipient = lazyComponent(
  async () => (await import('../gallery/mount-for-recipient.tsx')).MountForRecipient,
);
const SharedLinks = lazyComponent(async () => (await import('../gallery/shared-links.tsx')).SharedLinks);
const SendDialog = lazyComponent(async () => (await import('../sending/send-dialog.tsx')).SendDialog);
const FetchDialog = lazyComponent(async () => (await import('../fetching/fetch-dialog.tsx')).FetchDialog);
const OrderImages = lazyComponent(async () => (await import('../edit/orders/order-images.tsx')).OrderImages);
const MoveRecord = lazyComponent(async () => (await import('../app/move-record-dialog.tsx')).MoveRecordDialog);

/** Returns the translated reason when a limiting claim forbids an action, or null. */
const useDisabledReason = (session: SessionActor, limit: Claim): string | null => {
  const failureText = useFailureText();
  const isLimited = useSelector(session, selectMay(limit));
  return isLimited ? failureText({ kind: 'refused', code: 'no-right', claims: [limit] }) : null;
};

/** Returns the edit actions of this user; `onRequest` opens the dialog of an allowed one. */
export const useEditActions = (session: SessionActor, onRequest: (request: EditRequest) => void): EditActions => {
  const { study, patient, merge } = useRecordRights(session);
  const viewset = useDisabledReason(session, 'disable.delete_view_set');
  const series = useDisabledReason(session, 'disable.new_series');
  const download = useDisabledReason(session, 'disable.open');
  const newStudy = useDisabledReason(session, 'disable.new_study');
  return useMemo(() => {
    const reasons: Readonly<Record<string, string | null | undefined>> = {
      'disable.delete_study': study,
      'disable.delete_view_set': viewset,
      'disable.new_series': series,
      'disable.move_study': merge,
      'disable.open': download,
      'disable.new_study': newStudy,
    };
    const disabledReason = (kind: EditKind) => {
      if (kind === 'delete-patient') return patient;
      if (kind === 'merge-patient') return merge;
      return reasons[disablingClaim[kind] ?? ''] ?? null;
    };
    return {
      disabledReason,
      request: (request) => {
        if (disabledReason(request.kind) === null) onRequest(request);
      },
    };
  }, [study, viewset, series, patient, merge, download, newStudy, onRequest]);
};

interface EditDialogsProps {
  /** Null while no dialog is open. */
  readonly request: EditRequest | null;
  readonly location: PatientLocation;
  /** Images are on the way to or from a device. */
  readonly onSendingStarted: () => void;
  readonly onClose: () => void;
}

/** Renders the requested dialog of the patient page. Each dialog is lazy-loaded. */
export const EditDialogs = ({ request, location, onSendingStarted, onClose }: EditDialogsProps) => {
  const { session, patientId } = useWorkspace();
  const patient = useQuery(useAppQueries().patient(patientId)).data;
  const mayReadLog = useSelector(session, selectMay('user.get'));
  const canUnprotect = useSelector(session, selectMay('feature.protected_identity'));
  const templateDisabledReason = useDisabledReason(session, 'disable.new_template');
  const studyDisabledReason = useDisabledReason(session, 'disable.new_study');
  const leave = (gone: Gone) => {
    const next = locationWithout(location, gone);
    if (next !== location) navigate(patientPath(patientId, next), { replace: true });
  };

  const dialog = () => {
    if (!request) return null;
    switch (request.kind) {
      case 'move-study':
      case 'move-series':
      case 'move-image':
        return patient && <MoveRecord request={request} patient={patient} onClose={onClose} onGone={leave} />;
      case 'download-patient':
        return <RecipientDialog scope={{ patientId }} known={null} offersRecord={mayReadLog} onClose={onClose} />;
      case 'download-study':
        return <RecipientDialog scope={{ studyId: request.study.id }} known={null} onClose={onClose} />;
      case 'download-viewset':
        return <MountForRecipient viewsetId={request.viewsetId} onClose={onClose} />;
      case 'send-patient':
      case 'send-study':
        return (
          patient && (
            <SendDialog
              scope={request.kind === 'send-study' ? { studyId: request.study.id } : { patientId }}
              customerId={patient.customerId}
              onStarted={onSendingStarted}
              onClose={onClose}
            />
          )
        );
      case 'fetch-patient':
        return <FetchDialog patient={request.patient} onStarted={onSendingStarted} onClose={onClose} />;
      case 'shared-links':
        return <SharedLinks patientId={patientId} onClose={onClose} />;
      case 'order-images':
        return <OrderImages patient={request.patient} disabledReason={studyDisabledReason} onClose={onClose} />;
      case 'edit-patient':
        return <EditPatient patient={request.patient} canUnprotect={canUnprotect} onClose={onClose} />;
      case 'delete-patient':
        return (
          <DeletePatient
            patient={request.patient}
            onClose={onClose}
            onGone={() => navigate('/', { replace: true })}
            onBack={() => {
              // After undoing the deletion, return to the patient unless the user has moved on.
              if (window.location.pathname === '/') navigate(patientPath(patientId, {}));
            }}
          />
        );
      case 'merge-patient':
        return (
          <MergeDialog
            patient={request.patient}
            onClose={onClose}
            onMerged={(id) => id !== patientId && navigate(patientPath(id, {}))}
          />
        );
      case 'edit-study':
        return <EditStudy study={request.study} onClose={onClose} />;
      case 'edit-image':
        return (
          <EditImage patientId={patientId} image={request.image} slotTeeth={request.slotTeeth} onClose={onClose} />
        );
      case 'edit-viewset':
        return <EditViewset viewsetId={request.viewsetId} onClose={onClose} />;
      case 'new-viewset':
        return patient ? (
          <NewViewset
            patientId={patientId}
            customerId={patient.customerId}
            study={request.study}
            disabledReasons={{ template: templateDisabledReason, study: studyDisabledReason }}
            onClose={onClose}
            onMade={({ studyUid, viewSetUuid }) =>
              navigate(patientPath(patientId, { series: studyUid, viewsetId: viewSetUuid }))
            }
          />
        ) : null;
      default:
        return <DeleteRecord request={request} patientId={patientId} onClose={onClose} onGone={leave} />;
    }
  };
  return <Suspense fallback={null}>{dialog()}</Suspense>;
};
