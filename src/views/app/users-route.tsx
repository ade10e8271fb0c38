import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { type SessionActor, selectPermission, selectUser } from '../../machines/session/session.machine.ts';
import { Denied } from '../language/denied.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import { UsersPage } from '../users/users-page.tsx';
import { useAdministration } from './loaded-services.ts';
import { failureOfQuery } from './queries-context.tsx';
import { missingClaim, missingUsersClaim } from './rights.ts';

const usualRows = 10;
const superAdministratorRows = 7;

const OfClinic = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const { t } = useTranslation(['users', 'shell']);
  const failureText = useFailureText();
  const clinic = useQuery(useAdministration().customer(clinicId));
  if (clinic.data)
    return (
      <UsersPage
        session={session}
        list={{ customerId: clinicId }}
        title={t('usersOf', { clinic: clinic.data.name })}
        perPage={usualRows}
        addTo={clinic.data}
      />
    );
  if (!clinic.isError) return <Loader m="lg" aria-label={t('shell:loading')} />;
  const failure = failureOfQuery(clinic.error);
  return failure.code === 'not-found' ? (
    <Notice isPage title={t('clinicGone')} />
  ) : (
    <Notice
      isPage
      urgent
      title={failureText(failure)}
      action={<Button onClick={() => void clinic.refetch()}>{t('shell:retry')}</Button>}
    />
  );
};

interface UsersRouteProps {
  readonly session: SessionActor;
  /** Users of one clinic, of all clinics, or super administrators. */
  readonly of: { readonly clinicId: string } | 'all' | 'super-administrators';
}

/** The user lists, each for those who may see it. */
export const UsersRoute = ({ session, of }: UsersRouteProps) => {
  const { t } = useTranslation('users');
  const permission = useSelector(session, selectPermission);
  const ownClinicId = useSelector(session, selectUser)?.customerId ?? null;
  const lacking = () => {
    if (of === 'all') return missingClaim(permission, 'user.get', 'customer.get_byid');
    if (of === 'super-administrators') return missingClaim(permission, 'user.get_sa');
    return missingUsersClaim(permission, of.clinicId, ownClinicId);
  };
  const claim = lacking();
  if (claim !== null) return <Denied claims={[claim]} />;
  if (of === 'all') return <UsersPage session={session} list="all" title={t('allUsers')} perPage={usualRows} />;
  if (of === 'super-administrators')
    return (
      <UsersPage
        session={session}
        list={of}
        title={t('superAdministrators')}
        perPage={superAdministratorRows}
        addTo={null}
      />
    );
  return <OfClinic session={session} clinicId={of.clinicId} />;
};
