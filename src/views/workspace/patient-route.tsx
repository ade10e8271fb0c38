import { useSelector } from '@xstate/react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { selectImportsTray, selectViewer, selectViewsetActor } from '../../machines/app/app.machine.ts';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import { useAppContext } from '../app/app-context.tsx';
import type { EditRequest } from '../app/edit-requests.ts';
import { useResumedRequest } from '../edit/use-resumed-request.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { EditDialogs, useEditActions } from './edit-dialogs.tsx';
import { ImageTransferProvider } from './image-transfer.tsx';
import { type PatientLocation, parseCompared, parsePrior } from './patient/patient-location.ts';
import { parseHistory } from './tooth-history/history-url.ts';
import { type Workspace, WorkspaceProvider } from './workspace-context.ts';

const DropIntoPatient = lazyComponent(async () => (await import('../import/drop-into-patient.tsx')).DropIntoPatient);
const PatientPage = lazyComponent(async () => (await import('./patient/patient-page.tsx')).PatientPage);

interface PatientRouteProps {
  readonly session: SessionActor;
  readonly patientId: string;
  readonly series: string | null;
  readonly viewsetId: string | null;
  readonly onImportStarted: () => void;
}

interface PatientWithDialogsProps extends Omit<Workspace, 'edit' | 'openImages' | 'pictures'> {
  readonly location: PatientLocation;
  readonly onSendingStarted: () => void;
  readonly onChooseFiles: () => void;
}

const PatientWithDialogs = (props: PatientWithDialogsProps) => {
  const { session, viewer, viewsets, patientId, location, onSendingStarted, onChooseFiles } = props;
  const { openImages, pictures } = useAppContext();
  const [request, setRequest] = useState<EditRequest | null>(null);
  const edit = useEditActions(session, setRequest);
  useResumedRequest(patientId, edit.request);
  const workspace = useMemo(
    () => ({ session, viewer, viewsets, patientId, openImages, pictures, edit }),
    [session, viewer, viewsets, patientId, openImages, pictures, edit],
  );
  return (
    <WorkspaceProvider value={workspace}>
      <ImageTransferProvider>
        <PatientPage location={location} onChooseFiles={onChooseFiles} />
      </ImageTransferProvider>
      <EditDialogs
        request={request}
        location={location}
        onSendingStarted={onSendingStarted}
        onClose={() => setRequest(null)}
      />
    </WorkspaceProvider>
  );
};

/** The patient page with its dialogs, import drop zone and workspace. */
export const PatientRoute = ({ session, patientId, series, viewsetId, onImportStarted }: PatientRouteProps) => {
  const { app } = useAppContext();
  const tray = useSelector(app, selectImportsTray);
  const viewer = useSelector(app, selectViewer);
  const viewsets = useSelector(app, selectViewsetActor);
  const [params] = useSearchParams();
  if (!tray || !viewer || !viewsets) return null;
  return (
    <DropIntoPatient key={patientId} patientId={patientId} actor={tray} onStarted={onImportStarted}>
      {(chooseFiles) => (
        <PatientWithDialogs
          session={session}
          viewer={viewer}
          viewsets={viewsets}
          patientId={patientId}
          location={{
            series,
            viewsetId,
            imageUid: params.get('image'),
            compare: parseCompared(params.get('compare')),
            prior: parsePrior(params.get('prior')),
            priorMount: params.get('prior-mount'),
            history: parseHistory(params),
          }}
          onSendingStarted={onImportStarted}
          onChooseFiles={chooseFiles}
        />
      )}
    </DropIntoPatient>
  );
};
