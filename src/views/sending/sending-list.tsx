import '@mantine/core/styles/Progress.css';
import { Button, Progress } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { DicomSending } from '../../../contract/dicom-sendings.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from '../ui/transfers/transfers.module.css';
import own from './sending.module.css';
import { isRunning, useSendings } from './use-sendings.ts';

const hex = (status: number | null) => (status ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** Names the images that were not sent, each with the reason. */
const Unsent = ({ sending }: { readonly sending: DicomSending }) => {
  const { t } = useTranslation('sending');
  const { deviceName: device, unsent, notSent } = sending;
  const more = notSent - unsent.length;
  return (
    <ul className={classes.problems}>
      {unsent.map(({ imageUID, modality, number, reason, status }) => {
        const image = number === null ? t('imageWithoutNumber', { modality }) : t('image', { modality, number });
        return <li key={imageUID}>{t(`reason-${reason}`, { image, device, status: hex(status) })}</li>;
      })}
      {more > 0 && <li>{t('moreUnsent', { count: more })}</li>}
    </ul>
  );
};

/** What the device says of images that it has taken: whether it has them for good. */
const Commitment = ({ sending }: { readonly sending: DicomSending }) => {
  const { t } = useTranslation('sending');
  const { deviceName: device, commitment, notConfirmed } = sending;
  if (commitment === null) return null;
  if (commitment === 'waiting' || commitment === 'confirmed')
    return <p className={own.commitment}>{t(`commitment-${commitment}`, { device })}</p>;
  const text =
    commitment === 'not-confirmed'
      ? t('commitment-not-confirmed', { device, count: notConfirmed })
      : t(`commitment-${commitment}`, { device });
  return <IconAlert tone="caution">{text}</IconAlert>;
};

const SendingRow = ({ sending }: { readonly sending: DicomSending }) => {
  const { t } = useTranslation('sending');
  const failureText = useFailureText();
  const { cancelSending, removeSending } = useAppQueries();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const { id, patientId, deviceName: device, state, failure, total, sent, notSent } = sending;
  const runs = isRunning(sending);
  const end = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await (runs ? cancelSending(id) : removeSending(id));
      // The button of a cancelled one has another meaning.
      row.current?.focus();
    } catch (error) {
      setProblem(t('actionFailed', { reason: failureText(failureOfQuery(error)) }));
    }
    setBusy(false);
  };
  return (
    <li ref={row} className={classes.row} data-state={state} aria-label={t('to', { device })} tabIndex={-1}>
      <div className={classes.head}>
        <h3 className={classes.title}>{t('to', { device })}</h3>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={busy}
          aria-label={runs ? t('cancelOf', { device }) : t('removeOf', { device })}
          onClick={() => void end()}
        >
          {runs ? t('cancel') : t('remove')}
        </Button>
      </div>
      <p className={classes.facts}>
        <span>{t(`state-${state}`)}</span>
        <span>{t('sent', { sent, count: total })}</span>
        <Link href={`/patient/${patientId}`}>{t('openPatient')}</Link>
      </p>
      {runs && <Progress size="sm" value={((sent + notSent) / total) * 100} aria-hidden="true" />}
      {failure && (
        <IconAlert tone={runs ? 'caution' : 'bad'}>
          {[t(`failure-${failure}`, { device }), runs && t('retried')].filter(Boolean).join(' ')}
        </IconAlert>
      )}
      <Commitment sending={sending} />
      {notSent > 0 && (
        <>
          <IconAlert tone="caution">{t('notSent', { count: notSent })}</IconAlert>
          <Unsent sending={sending} />
        </>
      )}
      <div aria-live="assertive">{problem && <IconAlert>{problem}</IconAlert>}</div>
    </li>
  );
};

/** Lists the images of the user on the way to devices, and what became of them. */
const SendingList = ({ sendings }: { readonly sendings: readonly DicomSending[] }) => {
  const { t } = useTranslation('sending');
  if (sendings.length === 0) return null;
  return (
    <section className={classes.list} aria-label={t('list')}>
      <ul>
        {sendings.map((sending) => (
          <SendingRow key={sending.id} sending={sending} />
        ))}
      </ul>
    </section>
  );
};

/** The sendings of the user in a clinic. */
export const Sendings = ({ customerId }: { readonly customerId: string | null }) => (
  <SendingList sendings={useSendings(customerId)} />
);
