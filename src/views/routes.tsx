import { useSelector } from '@xstate/react';
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useSearchParams } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { selectImportsTray, selectViewer } from '../machines/app/app.machine.ts';
import { type SessionActor, selectClinic, selectMay } from '../machines/session/session.machine.ts';
import { ClinicsPage } from './clinics/clinics-page.tsx';
import { useGround } from './ground.tsx';
import { NotFound } from './not-found/not-found.tsx';
import { comparedIn } from './patient/place.ts';
import { goToSearch, isUuid, luggageOf } from './places.ts';
import { SearchPage } from './search/search-page.tsx';

const DropIntoPatient = lazy(async () => ({
  default: (await import('./import/drop-into-patient.tsx')).DropIntoPatient,
}));
const ImportPage = lazy(async () => ({ default: (await import('./import/import-page.tsx')).ImportPage }));
const PatientPage = lazy(async () => ({ default: (await import('./patient/patient-page.tsx')).PatientPage }));
const MountStage = lazy(async () => ({ default: (await import('./viewer/mount-stage.tsx')).MountStage }));
const ImageViewer = lazy(async () => ({ default: (await import('./viewer/image-viewer.tsx')).ImageViewer }));

interface RoutesProps {
  readonly session: SessionActor;
  /** The archive can tell how imports stand. */
  readonly live: boolean;
  readonly onImportStarted: () => void;
}

const SearchRoute = ({ clinicId, mayAdd }: { clinicId: string; mayAdd: boolean }) => {
  const [params] = useSearchParams();
  const state: unknown = useHistoryState();
  const query = luggageOf(state).search ?? params.get('q') ?? '';
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1);
  const onPage = (next: number) => {
    const wanted = new URLSearchParams(params);
    wanted.set('page', String(next));
    navigate(`/?${wanted}`, { state });
  };
  return (
    <SearchPage
      key={query}
      clinicId={clinicId}
      query={query}
      page={page}
      mayAdd={mayAdd}
      onPage={onPage}
      onEverybody={() => goToSearch('')}
    />
  );
};

const PatientRoute = ({
  patientId,
  series,
  viewsetId,
  onImportStarted,
}: {
  patientId: string;
  series: string | null;
  viewsetId: string | null;
  onImportStarted: () => void;
}) => {
  const { app, openImages } = useGround();
  const tray = useSelector(app, selectImportsTray);
  const viewer = useSelector(app, selectViewer);
  const [params] = useSearchParams();
  if (!tray || !viewer) return null;
  return (
    <DropIntoPatient key={patientId} patientId={patientId} actor={tray} onStarted={onImportStarted}>
      {(chooseFiles) => (
        <PatientPage
          patientId={patientId}
          place={{ series, viewsetId, imageUid: params.get('image'), compare: comparedIn(params.get('compare')) }}
          onChooseFiles={chooseFiles}
          renderSharp={(sharp) => (
            <Suspense fallback={null}>
              <MountStage key={sharp.viewset.viewSetUuid} {...sharp} openImages={openImages} />
            </Suspense>
          )}
          renderImage={({ image, patient, onStep, onBack }) => (
            <ImageViewer
              actor={viewer}
              image={image}
              patient={{
                name: `${patient.mainInfo.firstName} ${patient.mainInfo.lastName}`,
                personalNumber: patient.mainInfo.personalNumber,
              }}
              openImages={openImages}
              onStep={onStep}
              onBack={onBack}
            />
          )}
        />
      )}
    </DropIntoPatient>
  );
};

/** Which page an address means, and whether this person may see it. */
export const Routes = ({ session, live, onImportStarted }: RoutesProps) => {
  const { app } = useGround();
  const clinic = useSelector(session, selectClinic);
  const mayListClinics = useSelector(session, selectMay('customer.get'));
  const mayAdd = !useSelector(session, selectMay('disable.new_patient'));
  const tray = useSelector(app, selectImportsTray);
  // Without a clinic there are no patients: who may choose one does so first.
  const withoutClinic = mayListClinics ? <Redirect to="/customers" replace /> : <NotFound />;
  return (
    <Switch>
      <Route path="/customers">
        {mayListClinics ? (
          <ClinicsPage onOpen={({ id, name }) => session.send({ type: 'clinic.chosen', clinic: { id, name } })} />
        ) : (
          <Redirect to="/" replace />
        )}
      </Route>
      <Route path="/import">
        {clinic && tray ? <ImportPage actor={tray} clinicId={clinic.id} down={!live} /> : withoutClinic}
      </Route>
      <Route path="/patient">
        <Redirect to="/" replace />
      </Route>
      <Route path="/patient/:patientId/:series?/:viewsetId?">
        {(params) => {
          const { patientId = '', series, viewsetId }: Partial<Record<string, string>> = params;
          return isUuid(patientId) && (!viewsetId || isUuid(viewsetId)) ? (
            <PatientRoute
              patientId={patientId}
              series={series ?? null}
              viewsetId={viewsetId ?? null}
              onImportStarted={onImportStarted}
            />
          ) : (
            <NotFound />
          );
        }}
      </Route>
      <Route path="/:customerId?">
        {({ customerId }) => {
          if (customerId !== undefined && !isUuid(customerId)) return <NotFound />;
          if (!clinic) return withoutClinic;
          if (customerId !== undefined && customerId !== clinic.id) return withoutClinic;
          return <SearchRoute key={clinic.id} clinicId={clinic.id} mayAdd={mayAdd} />;
        }}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
};
