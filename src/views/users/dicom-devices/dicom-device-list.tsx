import '@mantine/core/styles/Table.css';
import { Button, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DicomDevice } from '../../../../contract/dicom-devices.ts';
import { useMomentText } from '../../language/file-error-text.ts';
import { useRightsText } from '../service-accounts/use-rights-text.ts';
import classes from './dicom-devices.module.css';

interface DicomDeviceListProps {
  readonly devices: readonly DicomDevice[];
  /** Id of the device whose connection is being tested. */
  readonly testedId: string | null;
  /** Id of the device that was changed last: its button has the focus again. */
  readonly changedId: string | null;
  readonly onTest: (device: DicomDevice) => void;
  readonly onChange: (device: DicomDevice) => void;
  readonly onRemove: (device: DicomDevice) => void;
}

/** The DICOM devices of a clinic. */
export const DicomDeviceList = ({ devices, testedId, changedId, onTest, onChange, onRemove }: DicomDeviceListProps) => {
  const { t } = useTranslation('users');
  const momentText = useMomentText();
  const rightsText = useRightsText();
  const rightsOf = ({ canRetrieve, canStore, atOnce, seesWorklist, asksCommitment }: DicomDevice): string => {
    const read = canRetrieve ? (['dicomweb.read'] as const) : [];
    const write = canStore ? (['dicomweb.write'] as const) : [];
    const ofImages = canRetrieve || canStore ? [rightsText({ scopes: [...read, ...write], atOnce })] : [];
    const rights = [
      ...ofImages,
      ...(seesWorklist ? [t('deviceWorklistListed')] : []),
      ...(asksCommitment ? [t('deviceCommitmentListed')] : []),
    ];
    return rights.length > 0 ? rights.join(', ') : t('deviceNoRights');
  };
  if (devices.length === 0) return <p className={classes.dimmed}>{t('deviceNone')}</p>;
  return (
    <div className={classes.table}>
      <Table aria-label={t('deviceList')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('directoryName')}</Table.Th>
            <Table.Th>{t('deviceAeTitle')}</Table.Th>
            <Table.Th>{t('deviceAddress')}</Table.Th>
            <Table.Th>{t('serviceRights')}</Table.Th>
            <Table.Th>{t('deviceContact')}</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {devices.map((device) => (
            <Table.Tr key={device.id}>
              <Table.Th scope="row">{device.name}</Table.Th>
              <Table.Td>{device.aeTitle}</Table.Td>
              <Table.Td>
                {device.port === null
                  ? device.address
                  : t(device.tls ? 'deviceWithTls' : 'deviceWithPort', { address: device.address, port: device.port })}
              </Table.Td>
              <Table.Td>{rightsOf(device)}</Table.Td>
              <Table.Td>
                {device.contactAt && device.contact ? (
                  <>
                    {momentText(device.contactAt)}
                    <br />
                    {t(`contact-${device.contact}`)}
                  </>
                ) : (
                  t('directoryNever')
                )}
              </Table.Td>
              <Table.Td>
                <div className={classes.actions}>
                  {device.port !== null && (
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t('deviceTestOf', { name: device.name })}
                      loading={testedId === device.id}
                      onClick={() => onTest(device)}
                    >
                      {t('deviceTest')}
                    </Button>
                  )}
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={t('deviceEditOf', { name: device.name })}
                    autoFocus={device.id === changedId}
                    onClick={() => onChange(device)}
                  >
                    {t('deviceEdit')}
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={t('deviceRemoveOf', { name: device.name })}
                    onClick={() => onRemove(device)}
                  >
                    {t('deviceRemove')}
                  </Button>
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
};
