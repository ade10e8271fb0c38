import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newDicomDevice } from '../../../../contract/dicom-devices.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import classes from './dicom-devices.module.css';

export interface NewDicomDevice {
  readonly name: string;
  readonly aeTitle: string;
  readonly address: string;
  readonly port: number | null;
  readonly canRetrieve: boolean;
  readonly canStore: boolean;
  readonly atOnce: boolean;
  readonly tls: boolean;
  readonly seesWorklist: boolean;
}

const fields = newDicomDevice.shape;
const choices = { canRetrieve: false, canStore: false, atOnce: false, tls: false, seesWorklist: false };
const empty = { name: '', aeTitle: '', address: '', port: '', ...choices };

const portOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

interface DicomDeviceFormProps {
  /** Rejects with the server's error. */
  readonly onCreate: (device: NewDicomDevice) => Promise<unknown>;
}

/** Adds a DICOM device to a clinic. */
export const DicomDeviceForm = ({ onCreate }: DicomDeviceFormProps) => {
  const { t } = useTranslation('users');
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: empty,
    validate: {
      name: (text) => (fields.name.safeParse(text).success ? null : t('length', { min: 2, max: 100 })),
      aeTitle: (text) => (fields.aeTitle.safeParse(text).success ? null : t('deviceTitleInvalid')),
      address: (text) => (fields.address.safeParse(text.trim()).success ? null : t('deviceAddressInvalid')),
      port: (text) => (fields.port.safeParse(portOf(text)).success ? null : t('devicePortInvalid')),
    },
  });
  const create = async ({ name, aeTitle, address, port, canStore, atOnce, tls, ...others }: typeof form.values) => {
    setBusy(true);
    setFailure(null);
    try {
      await onCreate({
        name: name.trim(),
        aeTitle: aeTitle.trim(),
        address: address.trim(),
        port: portOf(port),
        ...others,
        canStore,
        atOnce: canStore && atOnce,
        tls: tls && portOf(port) !== null,
      });
      form.reset();
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
    }
    setBusy(false);
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit((values) => void create(values))}>
      <h3 className={classes.heading}>{t('deviceNew')}</h3>
      <div className={classes.fields}>
        <TextInput
          label={t('directoryName')}
          placeholder="PACS"
          required
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
        <Checkbox
          label={t('deviceTls')}
          description={t('deviceTlsHelp')}
          {...form.getInputProps('tls', { type: 'checkbox' })}
        />
      )}
      <Checkbox label={t('deviceWorklist')} {...form.getInputProps('seesWorklist', { type: 'checkbox' })} />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button type="submit" loading={busy}>
          {t('deviceCreate')}
        </Button>
      </div>
    </form>
  );
};
