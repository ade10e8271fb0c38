import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DicomDevice, newDicomDevice } from '../../../../contract/dicom-devices.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import classes from './dicom-devices.module.css';

/** What a user enters for a device. */
export interface DicomDeviceFields {
  readonly name: string;
  readonly aeTitle: string;
  readonly address: string;
  readonly port: number | null;
  readonly canRetrieve: boolean;
  readonly canStore: boolean;
  readonly atOnce: boolean;
  readonly tls: boolean;
  readonly seesWorklist: boolean;
  readonly asksCommitment: boolean;
}

const fields = newDicomDevice.shape;
const choices = {
  canRetrieve: false,
  canStore: false,
  atOnce: false,
  tls: false,
  seesWorklist: false,
  asksCommitment: false,
};
const empty = { name: '', aeTitle: '', address: '', port: '', ...choices };

const portOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

interface DicomDeviceFormProps {
  /** The device that is changed; null: a new one. */
  readonly device: DicomDevice | null;
  /** Rejects with the server's error. */
  readonly onSave: (device: DicomDeviceFields) => Promise<unknown>;
  readonly onCancel?: () => void;
}

const valuesOf = ({ name, aeTitle, address, port, ...device }: DicomDevice): typeof empty => {
  const { canRetrieve, canStore, atOnce, tls, seesWorklist, asksCommitment } = device;
  const rights = { canRetrieve, canStore, atOnce, tls, seesWorklist, asksCommitment };
  return { name, aeTitle, address, port: port === null ? '' : String(port), ...rights };
};

/** Adds a DICOM device to a clinic, or changes one. */
export const DicomDeviceForm = ({ device, onSave, onCancel }: DicomDeviceFormProps) => {
  const { t } = useTranslation(['users', 'shell']);
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: device ? valuesOf(device) : empty,
    validate: {
      name: (text) => (fields.name.safeParse(text).success ? null : t('length', { min: 2, max: 100 })),
      aeTitle: (text) => (fields.aeTitle.safeParse(text).success ? null : t('deviceTitleInvalid')),
      address: (text) => (fields.address.safeParse(text.trim()).success ? null : t('deviceAddressInvalid')),
      port: (text) => (fields.port.safeParse(portOf(text)).success ? null : t('devicePortInvalid')),
    },
  });
  const save = async ({ name, aeTitle, address, port, canStore, atOnce, ...others }: typeof form.values) => {
    const hasPort = portOf(port) !== null;
    setBusy(true);
    setFailure(null);
    try {
      await onSave({
        name: name.trim(),
        aeTitle: aeTitle.trim(),
        address: address.trim(),
        port: portOf(port),
        ...others,
        canStore,
        atOnce: canStore && atOnce,
        tls: others.tls && hasPort,
        asksCommitment: others.asksCommitment && hasPort,
      });
      if (device) return;
      form.reset();
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
    }
    setBusy(false);
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit((values) => void save(values))}>
      <h3 className={classes.heading}>{device ? t('deviceEditTitle', { name: device.name }) : t('deviceNew')}</h3>
      <div className={classes.fields}>
        <TextInput
          label={t('directoryName')}
          placeholder="PACS"
          required
          autoFocus={device !== null}
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('deviceAeTitle')}
          required
          maxLength={16}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('aeTitle')}
        />
        <TextInput
          label={t('deviceAddress')}
          placeholder="192.168.1.20"
          required
          maxLength={45}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('address')}
        />
        <TextInput
          label={t('devicePort')}
          description={t('devicePortHelp')}
          inputMode="numeric"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={5}
          autoComplete="off"
          {...form.getInputProps('port')}
        />
      </div>
      <Checkbox label={t('deviceRetrieve')} {...form.getInputProps('canRetrieve', { type: 'checkbox' })} />
      <Checkbox label={t('deviceStore')} {...form.getInputProps('canStore', { type: 'checkbox' })} />
      {form.values.canStore && (
        <Checkbox
          label={t('serviceAtOnce')}
          description={t('serviceAtOnceHelp')}
          {...form.getInputProps('atOnce', { type: 'checkbox' })}
        />
      )}
      {form.values.port.trim() !== '' && (
        <>
          <Checkbox
            label={t('deviceTls')}
            description={t('deviceTlsHelp')}
            {...form.getInputProps('tls', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('deviceCommitment')}
            description={t('deviceCommitmentHelp')}
            {...form.getInputProps('asksCommitment', { type: 'checkbox' })}
          />
        </>
      )}
      <Checkbox label={t('deviceWorklist')} {...form.getInputProps('seesWorklist', { type: 'checkbox' })} />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons}>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('shell:cancel')}
          </Button>
        )}
        <Button type="submit" loading={busy}>
          {device ? t('save') : t('deviceCreate')}
        </Button>
      </div>
    </form>
  );
};
