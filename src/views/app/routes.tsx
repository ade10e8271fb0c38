import { Button } from '@mantine/core';
import IconMapOff from '@tabler/icons-react/dist/esm/icons/IconMapOff.mjs';
import { useSelector } from '@xstate/react';
import { type ComponentType, Suspense, useEffect } from 'react';
import { getI18n, useTranslation } from 'react-i18next';
import { Link, Redirect, Route, Switch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { selectImportsTray } from '../../machines/app/app.machine.ts';
import { type SessionActor, selectClinic, selectMay, selectUser } from '../../machines/session/session.machine.ts';
import { Denied } from '../language/denied.tsx';
import { loadHelpTexts } from '../language/translation.ts';
import { SearchPage } from '../search/search-page.tsx';
import { lazyAdministration } from '../ui/lazy-administration.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { Notice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.ts';
import { PatientRoute } from '../workspace/patient-route.tsx';
import { useAppContext } from './app-context.tsx';
import { useResumedDraft } from './drafts-context.ts';
import { allUsersPath, clinicUsersPath, damagedPath, isUuid, systemPath } from './paths.ts';

const NotFound = () => {
  const { t } = useTranslation('shell');
  return (
    <Notice
      isPage
      title={t('notFoundTitle')}
      text={t('notFoundText')}
      icon={<IconMapOff />}
      action={
        <Button component={Link} href="/">
          {t('notFoundAction')}
        </Button>
      }
    />
  );
};

/** Asks the user to choose a clinic first, with a link to the clinics. */
const ChooseClinic = () => {
  const { t } = useTranslation(['search', 'shell']);
  useEffect(() => toast({ tone: 'plain', text: t('chooseClinic'), close: t('shell:close') }), [t]);
  return <Redirect to="/customers" replace />;
};

const ClinicsPage = lazyAdministration(async () => (await import('../clinics/clinics-page.tsx')).ClinicsPage);
const GalleryRoute = lazyComponent(async () => (await import('./gallery-route.tsx')).GalleryRoute);
const MonitorRoute = lazyAdministration(async () => (await import('./monitor-route.tsx')).MonitorRoute);
const OrdersRoute = lazyComponent(async () => (await import('./orders-route.tsx')).OrdersRoute);
const QualityRoute = lazyAdministration(async () => (await import('./quality-route.tsx')).QualityRoute);
const RetentionRoute = lazyComponent(async () => (await import('./retention-route.tsx')).RetentionRoute);
const ReviewsRoute = lazyAdministration(async () => (await import('./reviews-route.tsx')).ReviewsRoute);
const ImportPage = lazyComponent(async () => (await import('../import/import-page.tsx')).ImportPage);
const HelpRoute = lazyComponent(async () => {
  const [{ HelpRoute }] = await Promise.all([import('./help-route.tsx'), loadHelpTexts(getI18n())]);
  return HelpRoute;
});
const ApiPage = lazyComponent(async () => (await import('../api-docs/api-page.tsx')).ApiPage);
const Fetches = lazyComponent(async () => (await import('../fetching/fetch-list.tsx')).Fetches);
const Sendings = lazyComponent(async () => (await import('../sending/sending-list.tsx')).Sendings);
const LogPage = lazyAdministration(async () => (await import('../log/log-page.tsx')).LogPage);
const RolesPage = lazyAdministration(async () => (await import('../roles/roles-page.tsx')).RolesPage);
const UsersRoute = lazyAdministration(async () => (await import('./users-route.tsx')).UsersRoute);
const MergeDialog = lazyComponent(async () => (await import('../merge/merge-dialog.tsx')).MergeDialog);
const SystemPage = lazyAdministration(async () => (await import('../system/system-page.tsx')).SystemPage);
const DamagedPage = lazyAdministration(async () => (await import('../system/damaged-page.tsx')).DamagedPage);
const NewPatient = lazyComponent(async () => (await import('../edit/new-patient.tsx')).NewPatient);

interface RoutesProps {
  readonly session: SessionActor;
  /** The hub is connected, so import progress is current. */
  readonly live: boolean;
  readonly onImportStarted: () => void;
}

const SearchRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const mayAdd = !useSelector(session, selectMay('disable.new_patient'));
  return (
    <SearchPage
      session={session}
      clinicId={clinicId}
      canAdd={mayAdd}
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

/** Maps the URL to a page and checks the user's claims. */
export const Routes = ({ session, live, onImportStarted }: RoutesProps) => {
  const { app } = useAppContext();
  const clinic = useSelector(session, selectClinic);
  const mayListClinics = useSelector(session, selectMay('customer.get'));
  const mayReadLog = useSelector(session, selectMay('user.get'));
  const maySeeRoles = useSelector(session, selectMay('role.get'));
  const maySeeSystem = useSelector(session, selectMay('user.get_sa'));
  const readsEveryClinic = useSelector(session, selectMay('customer.get_byid'));
  const mayCreateStudies = !useSelector(session, selectMay('disable.new_study'));
  const takesOut = !useSelector(session, selectMay('disable.open'));
  const tray = useSelector(app, selectImportsTray);
  const ownClinicId = useSelector(session, selectUser)?.customerId ?? null;
  // Patients need an open clinic, so the user chooses one first.
  const withoutClinic = mayListClinics ? <Redirect to="/customers" replace /> : <Denied claims={['customer.get']} />;
  const ownUsers = ownClinicId ? (
    <Redirect to={clinicUsersPath(ownClinicId)} replace />
  ) : (
    <Denied claims={['customer.get']} />
  );
  const ofClinic =
    (Page: ComponentType<{ readonly session: SessionActor; readonly clinicId: string }>) =>
    ({ customerId }: Partial<Record<string, string>>) => {
      if (customerId === undefined || !isUuid(customerId)) return <NotFound />;
      if (customerId !== clinic?.id) return mayListClinics ? <ChooseClinic /> : withoutClinic;
      return <Page key={clinic.id} session={session} clinicId={clinic.id} />;
    };
  return (
    <Switch>
      <Route path="/customers">{mayListClinics ? <ClinicsPage session={session} /> : ownUsers}</Route>
      <Route path="/customers/:clinicId">
        {({ clinicId }) => (isUuid(clinicId) ? <Redirect to={clinicUsersPath(clinicId)} replace /> : <NotFound />)}
      </Route>
      <Route path="/customers/:clinicId/employeers">
        {({ clinicId }) =>
          isUuid(clinicId) ? <UsersRoute key={clinicId} session={session} of={{ clinicId }} /> : <NotFound />
        }
      </Route>
      <Route path={allUsersPath}>
        <UsersRoute key="all" session={session} of="all" />
      </Route>
      <Route path="/sa">
        <UsersRoute key="super-administrators" session={session} of="super-administrators" />
      </Route>
      <Route path="/import">
        {clinic && tray ? (
          <ImportPage
            key={clinic.id}
            actor={tray}
            clinic={clinic}
            isConnectionLost={!live}
            isForKnownStudies={!mayCreateStudies}
            sendings={
              <>
                <Sendings customerId={takesOut ? clinic.id : null} />
                <Fetches customerId={mayCreateStudies ? clinic.id : null} />
              </>
            }
          />
        ) : (
          withoutClinic
        )}
      </Route>
      <Route path="/log">
        {mayReadLog ? (
          <LogPage ownClinicId={readsEveryClinic ? null : (clinic?.id ?? null)} openClinicId={clinic?.id ?? null} />
        ) : (
          <Denied claims={['user.get']} />
        )}
      </Route>
      <Route path="/help">
        <HelpRoute />
      </Route>
      <Route path={damagedPath}>{mayReadLog ? <DamagedPage /> : <Denied claims={['user.get']} />}</Route>
      <Route path={systemPath}>{maySeeSystem ? <SystemPage /> : <Denied claims={['user.get_sa']} />}</Route>
      <Route path="/docs/api">
        <ApiPage />
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
      <Route path="/:customerId/gallery">{ofClinic(GalleryRoute)}</Route>
      <Route path="/:customerId/quality">{ofClinic(QualityRoute)}</Route>
      <Route path="/:customerId/orders">{ofClinic(OrdersRoute)}</Route>
      <Route path="/:customerId/monitor">{ofClinic(MonitorRoute)}</Route>
      <Route path="/:customerId/retention">{ofClinic(RetentionRoute)}</Route>
      <Route path="/:customerId/log-reviews">{ofClinic(ReviewsRoute)}</Route>
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
