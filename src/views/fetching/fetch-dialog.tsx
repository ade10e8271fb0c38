import '@mantine/core/styles/Radio.css';
import { Button, Loader, Modal, Radio } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { dicomFetchSearch } from '../../../contract/dicom-fetches.ts';
import type { Patient } from '../../../contract/patients.ts';
import type { ReplyOf } from '../../../contract/route.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { Notice } from '../ui/notice.tsx';
import { DeviceChoice } from '../ui/transfers/device-choice.tsx';
import shared from '../ui/transfers/transfers.module.css';
import classes from './fetching.module.css';
import { type Choice, FoundStudyRow } from './found-study.tsx';

interface FetchDialogProps {
  readonly patient: Patient;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

interface Result extends ReplyOf<typeof dicomFetchSearch> {
  readonly device: { readonly id: string; readonly name: string };
}

const noChoice: Choice = { isChosen: false, isSamePatient: false };

/** The studies of a search, of which the user chooses. */
const Results = ({ result, patient, onStarted, onClose }: FetchDialogProps & { readonly result: Result }) => {
  const { t } = useTranslation('fetching');
  const failureText = useFailureText();
  const { fetchStudies } = useAppQueries();
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { device, studies, isComplete } = result;
  if (result.failure) return <IconAlert>{t(`search-${result.failure}`, { device: device.name })}</IconAlert>;
  if (studies.length === 0) return <p role="status">{t('nothingFound', { device: device.name })}</p>;
  const chosen = studies.filter(({ studyUid }) => choices[studyUid]?.isChosen);
  const isReady =
    chosen.length > 0 && chosen.every((one) => !one.needsConfirmation || choices[one.studyUid]?.isSamePatient);
  const fetch = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await fetchStudies({
        deviceId: device.id,
        patientId: patient.id,
        studies: chosen.map((one) => ({
          studyUid: one.studyUid,
          description: one.description,
          studyDate: one.studyDate,
          patient: one.patient,
          isSamePatient: choices[one.studyUid]?.isSamePatient ?? false,
        })),
      });
      onStarted();
      onClose();
    } catch (thrown) {
      setFailure(failureText(failureOfQuery(thrown)));
      setBusy(false);
    }
  };
  return (
    <div className={classes.results}>
      <h3 className={classes.found} role="status">
        {t('found', { count: studies.length, device: device.name })}
      </h3>
      {!isComplete && <IconAlert tone="caution">{t('more', { device: device.name })}</IconAlert>}
      <ul className={classes.studies}>
        {studies.map((study) => (
          <FoundStudyRow
            key={study.studyUid}
            study={study}
            patient={patient}
            device={device.name}
            choice={choices[study.studyUid] ?? noChoice}
            onChoice={(choice) => setChoices((all) => ({ ...all, [study.studyUid]: choice }))}
          />
        ))}
      </ul>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={shared.buttons}>
        <Button loading={busy} disabled={!isReady} onClick={() => void fetch()}>
          {t('fetch', { count: chosen.length })}
        </Button>
      </div>
    </div>
  );
};

const FetchForm = (props: FetchDialogProps) => {
  const { patient } = props;
  const { t } = useTranslation('fetching');
  const failureText = useFailureText();
  const { dicomFetchSources, searchDevice } = useAppQueries();
  const { data, error } = useQuery({ ...dicomFetchSources(patient.customerId), staleTime: 0 });
  const [chosen, setChosen] = useState<string | null>(null);
  const hasNumber = patient.mainInfo.personalNumber !== '';
  const [by, setBy] = useState<'number' | 'name'>(hasNumber ? 'number' : 'name');
  const [searches, setSearches] = useState(0);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  if (error && !data) return <Notice urgent title={t('loadFailed', { reason: failureText(failureOfQuery(error)) })} />;
  if (!data) return <Loader size="sm" />;
  const { devices } = data;
  if (devices.length === 0) return <Notice title={t('noDevices')} text={t('noDevicesText')} />;
  const device = devices.find(({ id }) => id === chosen) ?? (devices.length === 1 ? devices[0] : undefined);
  const search = async () => {
    if (!device) return;
    setBusy(true);
    setFailure(null);
    setResult(null);
    try {
      setResult({ ...(await searchDevice({ deviceId: device.id, patientId: patient.id, by })), device });
      setSearches((count) => count + 1);
    } catch (thrown) {
      setFailure(failureText(failureOfQuery(thrown)));
    }
    setBusy(false);
  };
  return (
    <div className={shared.form}>
      <form
        className={shared.form}
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <DeviceChoice devices={devices} label={t('device')} value={device?.id ?? null} onChange={setChosen} />
        <Radio.Group label={t('by')} value={by} onChange={(value) => setBy(value === 'name' ? 'name' : 'number')}>
          <div className={shared.choices}>
            <Radio value="number" label={t('byNumber')} disabled={!hasNumber} />
            <Radio value="name" label={t('byName')} />
          </div>
        </Radio.Group>
        <div className={shared.buttons}>
          <Button type="submit" loading={busy} disabled={!device} variant={result ? 'default' : 'filled'}>
            {t('search')}
          </Button>
        </div>
      </form>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      {result && <Results key={searches} {...props} result={result} />}
    </div>
  );
};

/** Searches the studies of a patient at a DICOM device of the clinic, and fetches the chosen ones in the background. */
export const FetchDialog = (props: FetchDialogProps) => {
  const { t } = useTranslation(['fetching', 'shell']);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('title')}
      size={640}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <FetchForm {...props} />
    </Modal>
  );
};
