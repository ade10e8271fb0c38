import { Button, Skeleton } from '@mantine/core';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Customer } from '../../../contract/customers.ts';
import { useAdministration } from '../administration.ts';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../parts/notice.tsx';
import { peoplePath } from '../places.ts';
import { failureOfQuery } from '../reading.tsx';
import type { ClinicDeeds } from './clinic-deeds.tsx';
import { ClinicStatistics } from './clinic-statistics.tsx';
import classes from './clinics.module.css';

interface ClinicCardProps {
  readonly id: string;
  readonly deeds: ClinicDeeds;
}

const Facts = ({ clinic }: { readonly clinic: Customer }) => {
  const { t } = useTranslation('clinics');
  const place = [clinic.zipcode, clinic.city].filter(Boolean).join(' ');
  const facts = [
    [t('organisationNumber'), clinic.organisationNumber],
    [t('customerNumber'), clinic.customerNumber],
    [t('address'), [clinic.address, place].filter(Boolean).join(', ')],
    [t('country'), t(clinic.country)],
    [t('telephone'), clinic.telephone],
    [t('license'), clinic.license],
    [t('proxy'), t(clinic.useProxy ? 'yes' : 'no')],
    [t('description'), clinic.description],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
};

/** A clinic beside the list: its numbers, its facts, and what can be done. */
export const ClinicCard = ({ id, deeds }: ClinicCardProps) => {
  const { t } = useTranslation(['clinics', 'lists']);
  const failureText = useFailureText();
  const { data: clinic, error, refetch } = useQuery(useAdministration().customer(id));
  if (error && !clinic)
    return (
      <Notice
        urgent
        title={failureOfQuery(error).code === 'not-found' ? t('notThere') : failureText(failureOfQuery(error))}
        action={
          failureOfQuery(error).code !== 'not-found' && (
            <Button onClick={() => void refetch()}>{t('lists:retry')}</Button>
          )
        }
      />
    );
  if (!clinic) return <Skeleton className={classes.card} />;
  const people = deeds.barred('people', clinic) === null ? peoplePath(id) : null;
  const deed = (kind: 'edit' | 'delete', icon: React.ReactNode, onClick: () => void) => {
    const reason = deeds.barred(kind, clinic);
    return (
      <Button
        variant="default"
        leftSection={icon}
        disabled={reason !== null}
        title={reason ?? undefined}
        onClick={onClick}
      >
        {t(kind)}
      </Button>
    );
  };
  return (
    <article className={classes.card} aria-label={clinic.name}>
      <h2 className={classes.cardName}>{clinic.name}</h2>
      <div className={classes.deeds}>
        <Button leftSection={<IconBuilding aria-hidden="true" />} onClick={() => deeds.work(clinic)}>
          {t('work')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconUsers aria-hidden="true" />}
          disabled={people === null}
          onClick={() => deeds.people(clinic)}
        >
          {t('people')}
        </Button>
        {deed('edit', <IconPencil aria-hidden="true" />, () => deeds.edit(clinic))}
        {deed('delete', <IconTrash aria-hidden="true" />, () => deeds.remove(clinic))}
      </div>
      <ClinicStatistics
        customerId={id}
        withWeeks
        places={{
          clinics: null,
          users: people,
          active: people && `${people}?status=active`,
          inactive: people && `${people}?status=inactive`,
          patients: () => deeds.work(clinic),
        }}
      />
      <section>
        <h3 className={classes.heading}>{t('facts')}</h3>
        <Facts clinic={clinic} />
      </section>
    </article>
  );
};
