import '@mantine/core/styles/Table.css';
import { Button, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServiceAccount } from '../../../../contract/service-accounts.ts';
import { useMomentText } from '../../language/file-error-text.ts';
import classes from './service-accounts.module.css';
import { useRightsText } from './use-rights-text.ts';

interface ServiceAccountListProps {
  readonly accounts: readonly ServiceAccount[];
  readonly onRevoke: (account: ServiceAccount) => void;
}

/** The service accounts of a clinic. */
export const ServiceAccountList = ({ accounts, onRevoke }: ServiceAccountListProps) => {
  const { t } = useTranslation('users');
  const momentText = useMomentText();
  const rightsText = useRightsText();
  const clinicsText = ({ clinics, otherClinics }: ServiceAccount) =>
    [
      ...clinics.map(({ name }) => name),
      ...(otherClinics > 0 ? [t('serviceOthers', { count: otherClinics })] : []),
    ].join(', ');
  if (accounts.length === 0) return <p className={classes.dimmed}>{t('serviceNone')}</p>;
  return (
    <div className={classes.table}>
      <Table aria-label={t('serviceAccounts')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('directoryName')}</Table.Th>
            <Table.Th>{t('serviceRights')}</Table.Th>
            <Table.Th>{t('serviceClinics')}</Table.Th>
            <Table.Th>{t('fileLinkUntil')}</Table.Th>
            <Table.Th>{t('directoryUsed')}</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map((account) => (
            <Table.Tr key={account.id}>
              <Table.Th scope="row">{account.name}</Table.Th>
              <Table.Td>{rightsText(account)}</Table.Td>
              <Table.Td>{clinicsText(account)}</Table.Td>
              <Table.Td>
                {new Date(account.expiresAt) > new Date() ? momentText(account.expiresAt) : t('directoryExpired')}
              </Table.Td>
              <Table.Td>{account.usedAt ? momentText(account.usedAt) : t('directoryNever')}</Table.Td>
              <Table.Td>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('serviceRevokeOf', { name: account.name })}
                  onClick={() => onRevoke(account)}
                >
                  {t('directoryRevoke')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
};
