import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ServiceAccount, serviceAccountsAtMost } from '../../../../contract/service-accounts.ts';
import { openid } from '../../../../contract/sign-in.ts';
import { useAdministration } from '../../app/loaded-services.ts';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { UserQuestion } from '../user-question.tsx';
import type { Clinic } from './further-clinics.tsx';
import { type NewServiceAccount, ServiceAccountForm } from './service-account-form.tsx';
import { ServiceAccountList } from './service-account-list.tsx';
import classes from './service-accounts.module.css';

interface Made {
  readonly id: string;
  readonly secret: string;
}

interface AddressesProps {
  readonly clinicId: string;
  /** The account that was just made. */
  readonly made: Made | null;
}

/** What the other program needs: addresses, and once the client id and secret. */
const Addresses = ({ clinicId, made }: AddressesProps) => {
  const { t } = useTranslation('users');
  const words = { copy: t('copy'), copied: t('copied') };
  const { origin } = window.location;
  return (
    <>
      <CopyField
        label={t('serviceAddress')}
        description={t('serviceAddressHelp')}
        value={`${origin}/dicomweb/${clinicId}`}
        {...words}
      />
      <CopyField
        label={t('serviceTokens')}
        description={t('serviceTokensHelp')}
        value={`${origin}${openid.tokenPath}`}
        {...words}
      />
      {made && (
        <>
          <CopyField label={t('serviceId')} description={t('serviceIdHelp')} value={made.id} {...words} />
          <CopyField
            key={made.secret}
            takesFocus
            label={t('serviceSecret')}
            description={t('serviceSecretHelp')}
            value={made.secret}
            {...words}
          />
        </>
      )}
    </>
  );
};

interface ServiceAccountsDialogProps {
  readonly clinic: Clinic;
  /** Whether the user may make accounts of several clinics. */
  readonly offersClinics: boolean;
  readonly onClose: () => void;
}

/** Makes and revokes the accounts by which other programs use a clinic's images. */
export const ServiceAccountsDialog = ({ clinic, offersClinics, onClose }: ServiceAccountsDialogProps) => {
  const { t } = useTranslation(['users', 'shell']);
  const administration = useAdministration();
  const { data, error, refetch } = useQuery(administration.serviceAccounts(clinic.id));
  const [made, setMade] = useState<Made | null>(null);
  const [revoked, setRevoked] = useState<ServiceAccount | null>(null);
  const create = async (fields: NewServiceAccount) => {
    const { account, secret } = await administration.createServiceAccount(fields);
    setMade({ id: account.id, secret });
  };
  const consequence = ({ clinics, otherClinics }: ServiceAccount) => {
    if (otherClinics > 0) return t('serviceRevokeHereText');
    const names = clinics.map(({ name }) => name).join(', ');
    return clinics.length > 1 ? t('serviceRevokeSeveralText', { clinics: names }) : t('serviceRevokeText');
  };
  if (revoked)
    return (
      <UserQuestion
        title={t('serviceRevokeTitle', { name: revoked.name })}
        text={consequence(revoked)}
        yes={t('directoryRevoke')}
        harms
        onClose={() => setRevoked(null)}
        onYes={async () => {
          await administration.revokeServiceAccount({ customerId: clinic.id, id: revoked.id });
          if (made?.id === revoked.id) setMade(null);
          setRevoked(null);
        }}
      />
    );
  const accounts = data?.accounts ?? [];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('serviceTitle', { clinic: clinic.name })}
      size={920}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={classes.body}>
        <p>{t('serviceLead')}</p>
        <Addresses clinicId={clinic.id} made={made} />
        {error ? <QueryFailed error={error} onRetry={() => void refetch()} /> : null}
        {data && <ServiceAccountList accounts={accounts} onRevoke={setRevoked} />}
        {data && accounts.length < serviceAccountsAtMost && (
          <ServiceAccountForm clinic={clinic} offersClinics={offersClinics} onCreate={create} />
        )}
        {accounts.length >= serviceAccountsAtMost && (
          <p className={classes.dimmed}>{t('serviceFull', { count: serviceAccountsAtMost })}</p>
        )}
      </div>
    </Modal>
  );
};
