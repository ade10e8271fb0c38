import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DicomDevice, dicomDevicesAtMost } from '../../../../contract/dicom-devices.ts';
import { useAdministration } from '../../app/loaded-services.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { UserQuestion } from '../user-question.tsx';
import { DicomDeviceForm, type NewDicomDevice } from './dicom-device-form.tsx';
import { DicomDeviceList } from './dicom-device-list.tsx';
import classes from './dicom-devices.module.css';

interface DicomDevicesDialogProps {
  readonly clinic: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Adds, tests and removes the devices that speak DICOM with the archive. */
export const DicomDevicesDialog = ({ clinic, onClose }: DicomDevicesDialogProps) => {
  const { t } = useTranslation(['users', 'shell']);
  const failureText = useFailureText();
  const administration = useAdministration();
  const { data, error, refetch } = useQuery(administration.dicomDevices(clinic.id));
  const [removed, setRemoved] = useState<DicomDevice | null>(null);
  const [testedId, setTestedId] = useState<string | null>(null);
  const [result, setResult] = useState('');
  const create = (fields: NewDicomDevice) => administration.addDicomDevice({ customerId: clinic.id, ...fields });
  const test = async ({ id, name }: DicomDevice) => {
    setTestedId(id);
    setResult('');
    try {
      const { contact } = await administration.echoDicomDevice({ customerId: clinic.id, id });
      setResult(contact ? t(`tested-${contact}`, { name }) : '');
    } catch (failure) {
      setResult(failureText(failureOfQuery(failure)));
    }
    setTestedId(null);
  };
  if (removed)
    return (
      <UserQuestion
        title={t('deviceRemoveTitle', { name: removed.name })}
        text={t('deviceRemoveText')}
        yes={t('deviceRemove')}
        harms
        onClose={() => setRemoved(null)}
        onYes={async () => {
          await administration.removeDicomDevice({ customerId: clinic.id, id: removed.id });
          setRemoved(null);
        }}
      />
    );
  const devices = data?.devices ?? [];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deviceTitle', { clinic: clinic.name })}
      size={920}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={classes.body}>
        <p>{t('deviceLead')}</p>
        {error ? <QueryFailed error={error} onRetry={() => void refetch()} /> : null}
        {data && (
          <CopyField
            label={t('deviceArchive')}
            description={t('deviceArchiveHelp')}
            value={data.aeTitle}
            copy={t('copy')}
            copied={t('copied')}
          />
        )}
        {data && (
          <DicomDeviceList
            devices={devices}
            testedId={testedId}
            onTest={(device) => void test(device)}
            onRemove={setRemoved}
          />
        )}
        <p role="status">{result}</p>
        {data && devices.length < dicomDevicesAtMost && <DicomDeviceForm onCreate={create} />}
        {devices.length >= dicomDevicesAtMost && (
          <p className={classes.dimmed}>{t('deviceFull', { count: dicomDevicesAtMost })}</p>
        )}
      </div>
    </Modal>
  );
};
