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
import { type DicomDeviceFields, DicomDeviceForm } from './dicom-device-form.tsx';
import { DicomDeviceList } from './dicom-device-list.tsx';
import classes from './dicom-devices.module.css';

interface DicomDevicesDialogProps {
  readonly clinic: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Adds, changes, tests and removes the devices that speak DICOM with the archive. */
export const DicomDevicesDialog = ({ clinic, onClose }: DicomDevicesDialogProps) => {
  const { t } = useTranslation(['users', 'shell']);
  const failureText = useFailureText();
  const administration = useAdministration();
  const { data, error, refetch } = useQuery(administration.dicomDevices(clinic.id));
  const [removed, setRemoved] = useState<DicomDevice | null>(null);
  const [changed, setChanged] = useState<DicomDevice | null>(null);
  const [changedId, setChangedId] = useState<string | null>(null);
  const [testedId, setTestedId] = useState<string | null>(null);
  const [result, setResult] = useState('');
  const create = (fields: DicomDeviceFields) => administration.addDicomDevice({ customerId: clinic.id, ...fields });
  const change = (device: DicomDevice) => {
    setResult('');
    setChangedId(device.id);
    setChanged(device);
  };
  const save = async ({ id }: DicomDevice, fields: DicomDeviceFields) => {
    await administration.updateDicomDevice({ customerId: clinic.id, id, ...fields });
    setChanged(null);
    setResult(t('deviceSaved', { name: fields.name }));
  };
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
        {!changed && <p>{t('deviceLead')}</p>}
        {error ? <QueryFailed error={error} onRetry={() => void refetch()} /> : null}
        {data && !changed && (
          <CopyField
            label={t('deviceArchive')}
            description={t('deviceArchiveHelp')}
            value={data.aeTitle}
            copy={t('copy')}
            copied={t('copied')}
          />
        )}
        {data && !changed && (
          <DicomDeviceList
            devices={devices}
            testedId={testedId}
            changedId={changedId}
            onTest={(device) => void test(device)}
            onChange={change}
            onRemove={setRemoved}
          />
        )}
        <p role="status">{result}</p>
        {changed && (
          <DicomDeviceForm
            key={changed.id}
            device={changed}
            onSave={(fields) => save(changed, fields)}
            onCancel={() => setChanged(null)}
          />
        )}
        {data && !changed && devices.length < dicomDevicesAtMost && <DicomDeviceForm device={null} onSave={create} />}
        {!changed && devices.length >= dicomDevicesAtMost && (
          <p className={classes.dimmed}>{t('deviceFull', { count: dicomDevicesAtMost })}</p>
        )}
      </div>
    </Modal>
  );
};
