import { useSelector } from '@xstate/react';
import { Suspense } from 'react';
import { getI18n } from 'react-i18next';
import { Redirect, Route, Switch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { selectImportsTray } from '../machines/app/app.machine.ts';
import { type SessionActor, selectClinic, selectMay, selectUser } from '../machines/session/session.machine.ts';
import { useGround } from './ground.tsx';
import { useResumedDraft } from './kept-drafts.ts';
import { Denied } from './language/denied.tsx';
import { speakInHelp } from './language/translation.ts';
import { NotFound } from './not-found/not-found.tsx';
import { lazily } from './parts/lazily.ts';
import { PatientRoute } from './patient-route.tsx';
import { allPeoplePath, isUuid, peoplePath } from './places.ts';
import { ChooseClinic } from './search/choose-clinic.tsx';
import { SearchPage } from './search/search-page.tsx';

const ClinicsPage = lazily(async () => (await import('./clinics/clinics-page.tsx')).ClinicsPage);
const GalleryRoute = lazily(async () => (await import('./gallery-route.tsx')).GalleryRoute);
const ImportPage = lazily(async () => (await import('./import/import-page.tsx')).ImportPage);
const HelpRoute = lazily(async () => {
  const [{ HelpRoute }] = await Promise.all([import('./help-route.tsx'), speakInHelp(getI18n())]);
  return HelpRoute;
});
const LogPage = lazily(async () => (await import('./log/log-page.tsx')).LogPage);
const RolesPage = lazily(async () => (await import('./roles/roles-page.tsx')).RolesPage);
const PeopleRoute = lazily(async () => (await import('./people-route.tsx')).PeopleRoute);
const MergeDialog = lazily(async () => (await import('./merge/merge-dialog.tsx')).MergeDialog);
const NewPatient = lazily(async () => (await import('./edit/new-patient.tsx')).NewPatient);

interface RoutesProps {
  readonly session: SessionActor;
  /** The archive can tell how imports stand. */
  readonly live: boolean;
  readonly onImportStarted: () => void;
}

const SearchRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const mayAdd = !useSelector(session, selectMay('disable.new_patient'));
  return (
    <SearchPage
      session={session}
      clinicId={clinicId}
      mayAdd={mayAdd}
      resumesNew={useResumedDraft(['new-patient'])?.key === `new-patient/${clinicId}`}
      renderNew={(onClose) => (
        <Suspense fallback={null}>
          <NewPatient clinicId={clinicId} onClose={onClose} onMade={(id) => navigate(`/patient/${id}`)} />
        </Suspense>
      )}
      renderMerge={(patient, onClose) => (
        <Suspense fallback={null}>
          <MergeDialog patient={patient} onClose={onClose} onMerged={(id) => navigate(`/patient/${id}`)} />
        </Suspense>
      )}
    />
  );
};

/** Which page an address means, and whether this person may see it. */
export const Routes = ({ session, live, onImportStarted }: RoutesProps) => {
  const { app } = useGround();
  const clinic = useSelector(session, selectClinic);
  const mayListClinics = useSelector(session, selectMay('customer.get'));
  const mayReadLog = useSelector(session, selectMay('user.get'));
  const maySeeRoles = useSelector(session, selectMay('role.get'));
  const readsEveryClinic = useSelector(session, selectMay('customer.get_byid'));
  const tray = useSelector(app, selectImportsTray);
  const ownClinicId = useSelector(session, selectUser)?.customerId ?? null;
  // Without a clinic there are no patients: who may choose one does so first.
  const withoutClinic = mayListClinics ? <Redirect to="/customers" replace /> : <Denied claims={['customer.get']} />;
  const ownPeople = ownClinicId ? (
    <Redirect to={peoplePath(ownClinicId)} replace />
  ) : (
    <Denied claims={['customer.get']} />
  );
  return (
    <Switch>
      <Route path="/customers">{mayListClinics ? <ClinicsPage session={session} /> : ownPeople}</Route>
      <Route path="/customers/:clinicId">
        {({ clinicId }) => (isUuid(clinicId) ? <Redirect to={peoplePath(clinicId)} replace /> : <NotFound />)}
      </Route>
      <Route path="/customers/:clinicId/employeers">
        {({ clinicId }) =>
          isUuid(clinicId) ? <PeopleRoute key={clinicId} session={session} of={{ clinicId }} /> : <NotFound />
        }
      </Route>
      <Route path={allPeoplePath}>
        <PeopleRoute key="all" session={session} of="all" />
      </Route>
      <Route path="/sa">
        <PeopleRoute key="super-administrators" session={session} of="super-administrators" />
      </Route>
      <Route path="/import">
        {clinic && tray ? <ImportPage key={clinic.id} actor={tray} clinic={clinic} down={!live} /> : withoutClinic}
      </Route>
      <Route path="/log">
        {mayReadLog ? (
          <LogPage ownClinicId={readsEveryClinic ? null : (clinic?.id ?? null)} />
        ) : (
          <Denied claims={['user.get']} />
        )}
      </Route>
      <Route path="/help">
        <HelpRoute />
      </Route>
      <Route path="/dev">
        <Redirect to="/404" replace />
      </Route>
      <Route path="/roles">{maySeeRoles ? <RolesPage session={session} /> : <Denied claims={['role.get']} />}</Route>
      <Route path="/patient">
        <Redirect to="/" replace />
      </Route>
      <Route path="/patient/:patientId/:series?/:viewsetId?">
        {(params) => {
          const { patientId = '', series, viewsetId }: Partial<Record<string, string>> = params;
          return isUuid(patientId) && (!viewsetId || isUuid(viewsetId)) ? (
            <PatientRoute
              session={session}
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
      <Route path="/:customerId/gallery">
        {({ customerId }) => {
          if (!isUuid(customerId)) return <NotFound />;
          if (customerId !== clinic?.id) return mayListClinics ? <ChooseClinic /> : withoutClinic;
          return <GalleryRoute key={clinic.id} session={session} clinicId={clinic.id} />;
        }}
      </Route>
      <Route path="/:customerId?">
        {({ customerId }) => {
          if (customerId !== undefined && !isUuid(customerId)) return <NotFound />;
          if (!clinic || (customerId !== undefined && customerId !== clinic.id))
            return mayListClinics ? <ChooseClinic /> : withoutClinic;
          return <SearchRoute key={clinic.id} session={session} clinicId={clinic.id} />;
        }}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
};
