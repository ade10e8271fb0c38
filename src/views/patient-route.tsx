import { useSelector } from '@xstate/react';
import { Suspense } from 'react';
import { useSearchParams } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import type { Viewset } from '../../contract/viewsets.ts';
import { selectImportsTray, selectViewer, selectViewsetActor } from '../machines/app/app.machine.ts';
import { type SessionActor, selectMay } from '../machines/session/session.machine.ts';
import { EditDialogs } from './edit/edit-dialogs.tsx';
import type { Gone } from './edit-wishes.ts';
import { useGround } from './ground.tsx';
import { logPath } from './log/log-place.ts';
import { lazily } from './parts/lazily.ts';
import { EditActionsProvider, placeWithout } from './patient/edit-actions.ts';
import { comparedIn, placePath } from './patient/place.ts';

const DropIntoPatient = lazily(async () => (await import('./import/drop-into-patient.tsx')).DropIntoPatient);
const MergeDialog = lazily(async () => (await import('./merge/merge-dialog.tsx')).MergeDialog);
const PatientPage = lazily(async () => (await import('./patient/patient-page.tsx')).PatientPage);
const PatientRoom = lazily(async () => (await import('./patient-room.tsx')).PatientRoom);

interface PatientRouteProps {
  readonly session: SessionActor;
  readonly patientId: string;
  readonly series: string | null;
  readonly viewsetId: string | null;
  readonly onImportStarted: () => void;
}

/** The page of a patient, put together from those who know it: studies, reading room, mount, import. */
export const PatientRoute = ({ session, patientId, series, viewsetId, onImportStarted }: PatientRouteProps) => {
  const { app } = useGround();
  const tray = useSelector(app, selectImportsTray);
  const viewer = useSelector(app, selectViewer);
  const viewsets = useSelector(app, selectViewsetActor);
  const mayReadLog = useSelector(session, selectMay('user.get'));
  const [params] = useSearchParams();
  if (!tray || !viewer || !viewsets) return null;
  const place = { series, viewsetId, imageUid: params.get('image'), compare: comparedIn(params.get('compare')) };
  const leave = (gone: Gone) => {
    const next = placeWithout(place, gone);
    if (next !== place) navigate(placePath(patientId, next), { replace: true });
  };
  const open = ({ studyUid, viewSetUuid }: Viewset) =>
    navigate(placePath(patientId, { series: studyUid, viewsetId: viewSetUuid }));
  return (
    <DropIntoPatient key={patientId} patientId={patientId} actor={tray} onStarted={onImportStarted}>
      {(chooseFiles) => (
        <EditDialogs
          {...{ session, patientId }}
          onGone={leave}
          onMade={open}
          onPatientGone={() => navigate('/', { replace: true })}
          onPatientBack={() => {
            // Back to the patient who was taken back, unless one has gone on to something else.
            if (window.location.pathname === '/') navigate(placePath(patientId, {}));
          }}
          renderMerge={(patient, onClose) => (
            <Suspense fallback={null}>
              <MergeDialog
                patient={patient}
                onClose={onClose}
                onMerged={(id) => id !== patientId && navigate(placePath(id, {}))}
              />
            </Suspense>
          )}
        >
          {(edit) => (
            <EditActionsProvider value={edit}>
              <PatientPage
                patientId={patientId}
                place={place}
                viewsets={viewsets}
                onChooseFiles={chooseFiles}
                logPath={mayReadLog ? logPath({ patient: patientId }) : null}
                renderRoom={(room) => (
                  <Suspense fallback={null}>
                    <PatientRoom room={room} session={session} viewer={viewer} viewsets={viewsets} />
                  </Suspense>
                )}
              />
            </EditActionsProvider>
          )}
        </EditDialogs>
      )}
    </DropIntoPatient>
  );
};
