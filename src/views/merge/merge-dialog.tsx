import { Button, Checkbox, Modal } from '@mantine/core';
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MergePreview } from '../../../contract/merge.ts';
import type { Patient } from '../../../contract/patients.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { toast } from '../parts/toast.ts';
import { failureOfQuery } from '../reading.tsx';
import { useRecords } from '../records.ts';
import { FindOther } from './find-other.tsx';
import classes from './merge.module.css';
import { PatientFacts } from './patient-facts.tsx';
import { WhatMoves } from './what-moves.tsx';

interface MergeDialogProps {
  readonly patient: Patient;
  readonly onClose: () => void;
  /** All is with this patient now. */
  readonly onMerged: (patientId: string) => void;
}

const nameOf = ({ mainInfo }: Patient) => `${mainInfo.firstName} ${mainInfo.lastName}`;

/** Moves all studies of a patient to another one: who it is, what moves, what speaks against it, and a last confirmation. */
export const MergeDialog = ({ patient, onClose, onMerged }: MergeDialogProps) => {
  const { t } = useTranslation(['merge', 'shell']);
  const [other, setOther] = useState<Patient | null>(null);
  const [isReversed, setReversed] = useState(false);
  const [from, to] = isReversed ? [other, patient] : [patient, other];
  return (
    <Modal opened onClose={onClose} title={t('title')} size={640} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <div className={classes.pair}>
        <PatientFacts role={t('from')} patient={from} nobody={t('toNobody')} />
        <Button
          className={classes.swap}
          variant="default"
          disabled={!other}
          leftSection={<IconArrowsExchange aria-hidden="true" />}
          onClick={() => setReversed(!isReversed)}
        >
          {t('swap')}
        </Button>
        <PatientFacts role={t('to')} patient={to} nobody={t('toNobody')} />
      </div>
      {other === null && <FindOther patient={patient} onChoose={setOther} />}
      {from && to && (
        <Confirmation from={from} to={to} onOther={() => setOther(null)} onClose={onClose} onMerged={onMerged} />
      )}
    </Modal>
  );
};

interface ConfirmationProps {
  readonly from: Patient;
  readonly to: Patient;
  readonly onOther: () => void;
  readonly onClose: () => void;
  readonly onMerged: (patientId: string) => void;
}

const isEmpty = ({ counts }: MergePreview) => Object.values(counts).every((count) => count === 0);

/** The preview of one direction, and the confirmation: what was confirmed is what is moved, or nothing is. */
const Confirmation = ({ from, to, onOther, onClose, onMerged }: ConfirmationProps) => {
  const { t } = useTranslation(['merge', 'shell']);
  const failureText = useRecordFailureText();
  const records = useRecords();
  const preview = useQuery({ ...records.mergePreview(from.id, to.id), staleTime: 0 });
  /** What was seen when the box was ticked; another preview unticks it. */
  const [understood, setUnderstood] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ readonly way: string; readonly text: string } | null>(null);
  const way = `${from.id} ${to.id}`;
  // Whoever has chosen goes on at the confirmation: the field in which they chose is gone.
  const hasLed = useRef(false);
  const lead = (box: HTMLInputElement | null) => {
    if (box && !hasLed.current) box.focus();
    hasLed.current ||= box !== null;
  };
  const shown = preview.data ?? null;
  const isUnderstood = shown !== null && understood === shown.seen;
  const merge = async () => {
    if (!shown || !isUnderstood) return;
    setBusy(true);
    setFailed(null);
    try {
      const { studies } = await records.merge({ patientFromId: from.id, patientToId: to.id, seen: shown.seen });
      toast({ tone: 'good', text: t('done', { count: studies, name: nameOf(to) }), close: t('shell:close') });
      onClose();
      onMerged(to.id);
    } catch (error) {
      const told = failureOfQuery(error);
      const isConflict = told.code === 'conflict';
      if (isConflict) {
        setUnderstood(null);
        await preview.refetch();
      }
      setFailed({ way, text: isConflict ? t('changed') : failureText(told) });
      setBusy(false);
    }
  };
  return (
    <>
      {preview.isError && <IconAlert>{failureText(failureOfQuery(preview.error))}</IconAlert>}
      {shown && isEmpty(shown) && <p>{t('nothing', { name: nameOf(from) })}</p>}
      {shown && !isEmpty(shown) && (
        <>
          <WhatMoves preview={shown} />
          <IconAlert tone="caution">{t('warning', { name: nameOf(from) })}</IconAlert>
          <Checkbox
            ref={lead}
            className={classes.understood}
            label={t('understood', { name: nameOf(to) })}
            checked={isUnderstood}
            onChange={(event) => setUnderstood(event.currentTarget.checked ? shown.seen : null)}
          />
        </>
      )}
      <div aria-live="assertive">{failed?.way === way && <IconAlert>{failed.text}</IconAlert>}</div>
      <div className={classes.end}>
        <Button variant="subtle" className={classes.other} onClick={onOther}>
          {t('change')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('shell:cancel')}
        </Button>
        <Button color="red.9" disabled={!isUnderstood} loading={busy} onClick={() => void merge()}>
          {t('move')}
        </Button>
      </div>
    </>
  );
};
