import { Button, Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { Notice } from '../ui/notice.tsx';
import { DeviceChoice } from '../ui/transfers/device-choice.tsx';
import classes from '../ui/transfers/transfers.module.css';

interface SendDialogProps {
  readonly scope: { readonly studyId: string } | { readonly patientId: string };
  /** Clinic of the patient. */
  readonly customerId: string;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

const SendForm = ({ scope, customerId, onStarted, onClose }: SendDialogProps) => {
  const { t } = useTranslation('sending');
  const failureText = useFailureText();
  const { dicomDestinations, sendToDevice } = useAppQueries();
  const { data, error } = useQuery({ ...dicomDestinations(customerId), staleTime: 0 });
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (error && !data) return <Notice urgent title={t('loadFailed', { reason: failureText(failureOfQuery(error)) })} />;
  if (!data) return <Loader size="sm" />;
  const { devices } = data;
  if (devices.length === 0) return <Notice title={t('noDevices')} text={t('noDevicesText')} />;
  const deviceId = chosen ?? (devices.length === 1 ? (devices[0]?.id ?? null) : null);
  const send = async () => {
    if (deviceId === null) return;
    setBusy(true);
    setFailure(null);
    try {
      await sendToDevice({ deviceId, ...scope });
      onStarted();
      onClose();
    } catch (thrown) {
      setFailure(failureText(failureOfQuery(thrown)));
      setBusy(false);
    }
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <DeviceChoice
        devices={devices}
        label={t('device')}
        description={t('deviceHelp')}
        value={deviceId}
        onChange={setChosen}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button type="submit" loading={busy} disabled={deviceId === null}>
          {t('send')}
        </Button>
      </div>
    </form>
  );
};

/** Sends the images of a study or patient to a DICOM device of the clinic, in the background. */
export const SendDialog = (props: SendDialogProps) => {
  const { t } = useTranslation(['sending', 'shell']);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('title')}
      size={480}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <SendForm {...props} />
    </Modal>
  );
};
