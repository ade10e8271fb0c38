import '@mantine/core/styles/Progress.css';
import { Button, Progress } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { DicomFetch } from '../../../contract/dicom-fetches.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from '../ui/transfers/transfers.module.css';
import { canBeStopped, countsOf, isRunning, useFetches } from './use-fetches.ts';

/** Names what did not go as asked: studies that wait or did not come, and images by reason. */
const Problems = ({ fetch }: { readonly fetch: DicomFetch }) => {
  const { t } = useTranslation('fetching');
  const { deviceName: device, studies, refusals, state } = fetch;
  const notable = studies.filter((study) => ['undecided', 'known', 'empty', 'failed'].includes(study.state));
  const shown = state === 'cancelled' ? [] : notable;
  if (shown.length === 0 && refusals.length === 0) return null;
  return (
    <ul className={classes.problems}>
      {shown.map((study) => (
        <li key={study.studyUid}>
          {t(`study-${study.state as 'undecided'}`, { study: study.description || t('withoutDescription'), device })}{' '}
          {study.state === 'undecided' && <Link href="/import">{t('decide')}</Link>}
        </li>
      ))}
      {refusals.map(({ reason, images }) => (
        <li key={reason}>{t(`reason-${reason}`, { count: images, device })}</li>
      ))}
    </ul>
  );
};

const FetchRow = ({ fetch }: { readonly fetch: DicomFetch }) => {
  const { t } = useTranslation('fetching');
  const failureText = useFailureText();
  const { cancelFetch, removeFetch } = useAppQueries();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const { id, patientId, deviceName: device, state, failure } = fetch;
  const stops = canBeStopped(fetch);
  const { found, fetched } = countsOf([fetch]);
  const end = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await (stops ? cancelFetch(id) : removeFetch(id));
      // The button of a stopped one has another meaning.
      row.current?.focus();
    } catch (error) {
      setProblem(t('actionFailed', { reason: failureText(failureOfQuery(error)) }));
    }
    setBusy(false);
  };
  return (
    <li ref={row} className={classes.row} data-state={state} aria-label={t('from', { device })} tabIndex={-1}>
      <div className={classes.head}>
        <h3 className={classes.title}>{t('from', { device })}</h3>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={busy}
          aria-label={stops ? t('cancelOf', { device }) : t('removeOf', { device })}
          onClick={() => void end()}
        >
          {stops ? t('cancel') : t('remove')}
        </Button>
      </div>
      <p className={classes.facts}>
        <span>{state === 'done' && isRunning(fetch) ? t('state-importing') : t(`state-${state}`)}</span>
        <span>{t('fetched', { fetched, count: found })}</span>
        <Link href={`/patient/${patientId}`}>{t('openPatient')}</Link>
      </p>
      {stops && <Progress size="sm" value={found === 0 ? 0 : (fetched / found) * 100} aria-hidden="true" />}
      {failure && (
        <IconAlert tone={stops ? 'caution' : 'bad'}>
          {[t(`failure-${failure}`, { device }), stops && t('retried')].filter(Boolean).join(' ')}
        </IconAlert>
      )}
      <Problems fetch={fetch} />
      <div aria-live="assertive">{problem && <IconAlert>{problem}</IconAlert>}</div>
    </li>
  );
};

/** Lists the studies of the user on the way from devices in a clinic, and what became of them. */
export const Fetches = ({ customerId }: { readonly customerId: string | null }) => {
  const { t } = useTranslation('fetching');
  const fetches = useFetches(customerId);
  if (fetches.length === 0) return null;
  return (
    <section className={classes.list} aria-label={t('list')}>
      <ul>
        {fetches.map((fetch) => (
          <FetchRow key={fetch.id} fetch={fetch} />
        ))}
      </ul>
    </section>
  );
};
