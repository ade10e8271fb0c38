import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { type SessionActor, selectPermission, selectUser } from '../machines/session/session.machine.ts';
import { useAdministration } from './administration.ts';
import { Denied } from './language/denied.tsx';
import { useFailureText } from './language/failure-text.ts';
import { missing, missingForPeople } from './page-rights.ts';
import { Notice } from './parts/notice.tsx';
import { PeoplePage } from './people/people-page.tsx';
import { failureOfQuery } from './reading.tsx';

const usualRows = 10;
const superAdministratorRows = 7;

const OfClinic = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const { t } = useTranslation(['people', 'shell']);
  const failureText = useFailureText();
  const clinic = useQuery(useAdministration().customer(clinicId));
  if (clinic.data)
    return (
      <PeoplePage
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

interface PeopleRouteProps {
  readonly session: SessionActor;
  /** Of one clinic, by its id; of all; or those who belong to none. */
  readonly of: { readonly clinicId: string } | 'all' | 'super-administrators';
}

/** The pages of people, each for those who may see it. */
export const PeopleRoute = ({ session, of }: PeopleRouteProps) => {
  const { t } = useTranslation('people');
  const permission = useSelector(session, selectPermission);
  const ownClinicId = useSelector(session, selectUser)?.customerId ?? null;
  const lacking = () => {
    if (of === 'all') return missing(permission, 'user.get', 'customer.get_byid');
    if (of === 'super-administrators') return missing(permission, 'user.get_sa');
    return missingForPeople(permission, of.clinicId, ownClinicId);
  };
  const claim = lacking();
  if (claim !== null) return <Denied claims={[claim]} />;
  if (of === 'all') return <PeoplePage session={session} list="all" title={t('allUsers')} perPage={usualRows} />;
  if (of === 'super-administrators')
    return (
      <PeoplePage
        session={session}
        list={of}
        title={t('superAdministrators')}
        perPage={superAdministratorRows}
        addTo={null}
      />
    );
  return <OfClinic session={session} clinicId={of.clinicId} />;
};
