import { Button, Skeleton } from '@mantine/core';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Customer } from '../../../contract/customers.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { clinicUsersPath } from '../app/paths.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import type { ClinicActions } from './clinic-actions.tsx';
import { ClinicStatistics } from './clinic-statistics.tsx';
import classes from './clinics.module.css';

interface ClinicCardProps {
  readonly id: string;
  readonly actions: ClinicActions;
}

const Facts = ({ clinic }: { readonly clinic: Customer }) => {
  const { t } = useTranslation('clinics');
  const address = [clinic.zipcode, clinic.city].filter(Boolean).join(' ');
  const facts = [
    [t('organisationNumber'), clinic.organisationNumber],
    [t('customerNumber'), clinic.customerNumber],
    [t('address'), [clinic.address, address].filter(Boolean).join(', ')],
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

/** Shows the statistics, details and actions of the selected clinic beside the list. */
export const ClinicCard = ({ id, actions }: ClinicCardProps) => {
  const { t } = useTranslation(['clinics', 'lists']);
  const failureText = useFailureText();
  const { data: clinic, error, refetch } = useQuery(useAdministration().customer(id));
  if (error && !clinic)
    return (
      <Notice
        urgent
        title={failureOfQuery(error).code === 'not-found' ? t('notFound') : failureText(failureOfQuery(error))}
        action={
          failureOfQuery(error).code !== 'not-found' && (
            <Button onClick={() => void refetch()}>{t('lists:retry')}</Button>
          )
        }
      />
    );
  if (!clinic) return <Skeleton className={classes.card} />;
  const usersHref = actions.disabledReason('clinicUsers', clinic) === null ? clinicUsersPath(id) : null;
  const actionButton = (kind: 'edit' | 'delete', icon: React.ReactNode, onClick: () => void) => {
    const reason = actions.disabledReason(kind, clinic);
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
      <div className={classes.actions}>
        <Button leftSection={<IconBuilding aria-hidden="true" />} onClick={() => actions.work(clinic)}>
          {t('work')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconUsers aria-hidden="true" />}
          disabled={usersHref === null}
          onClick={() => actions.openUsers(clinic)}
        >
          {t('clinicUsers')}
        </Button>
        {actionButton('edit', <IconPencil aria-hidden="true" />, () => actions.edit(clinic))}
        {actionButton('delete', <IconTrash aria-hidden="true" />, () => actions.remove(clinic))}
      </div>
      <ClinicStatistics
        customerId={id}
        showsWeeks
        links={{
          clinics: null,
          users: usersHref,
          active: usersHref && `${usersHref}?status=active`,
          inactive: usersHref && `${usersHref}?status=inactive`,
          patients: () => actions.work(clinic),
        }}
      />
      <section>
        <h3 className={classes.heading}>{t('details')}</h3>
        <Facts clinic={clinic} />
      </section>
    </article>
  );
};
