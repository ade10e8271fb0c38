import { Button, Modal } from '@mantine/core';
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MergePreview } from '../../../contract/merge.ts';
import type { Patient } from '../../../contract/patients.ts';
import { useRecords } from '../app/loaded-services.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import { Confirmation, nameOf } from './confirmation.tsx';
import { FindOther, PatientFacts } from './find-other.tsx';
import classes from './merge.module.css';

const counted = ['studies', 'deletedStudies', 'images', 'viewsets', 'imports'] as const;

/** Lists what a merge moves, with counts, names and warnings. */
const WhatMoves = ({ preview }: { readonly preview: MergePreview }) => {
  const { t } = useTranslation('merge');
  const { counts, studies, warnings } = preview;
  return (
    <>
      {warnings.length > 0 && (
        <IconAlert>
          {t('doubt')} {warnings.map((warning) => t(warning)).join('. ')}.
        </IconAlert>
      )}
      <h3 className={classes.role}>{t('moves')}</h3>
      <p className={classes.counts}>
        {counted
          .filter((what) => counts[what] > 0)
          .map((what) => (
            <span key={what}>{t(what, { count: counts[what] })}</span>
          ))}
      </p>
      {studies.length > 0 && (
        <>
          {studies.length < counts.studies && <p className={classes.fact}>{t('newest', { count: studies.length })}</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable to be scrolled by keys */}
          <ul className={classes.studies} tabIndex={0} aria-label={t('moves')}>
            {studies.map(({ id, description, studyDate, images }) => (
              <li key={id}>
                <span className={classes.day}>{studyDate ?? t('noDate')}</span>
                <span>{description.trim() || t('untitledStudy')}</span>
                <span className={classes.fact}>{t('images', { count: images })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
};

interface MergeDialogProps {
  readonly patient: Patient;
  readonly onClose: () => void;
  /** Called with the patient that now has all studies. */
  readonly onMerged: (patientId: string) => void;
}

/** Moves all studies of a patient to another: search, preview, warnings and confirmation. */
export const MergeDialog = ({ patient, onClose, onMerged }: MergeDialogProps) => {
  const { t } = useTranslation(['merge', 'shell']);
  const [other, setOther] = useState<Patient | null>(null);
  const [isReversed, setReversed] = useState(false);
  const [from, to] = isReversed ? [other, patient] : [patient, other];
  return (
    <Modal opened onClose={onClose} title={t('title')} size={640} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <div className={classes.pair}>
        <PatientFacts role={t('from')} patient={from} emptyText={t('choosePatient')} />
        <Button
          variant="default"
          disabled={!other}
          leftSection={<IconArrowsExchange aria-hidden="true" />}
          onClick={() => setReversed(!isReversed)}
        >
          {t('swap')}
        </Button>
        <PatientFacts role={t('to')} patient={to} emptyText={t('choosePatient')} />
      </div>
      {other === null && <FindOther customerId={patient.customerId} patientId={patient.id} onChoose={setOther} />}
      {from && to && (
        <PreviewedMerge from={from} to={to} onOther={() => setOther(null)} onClose={onClose} onMerged={onMerged} />
      )}
    </Modal>
  );
};

interface PreviewedMergeProps {
  readonly from: Patient;
  readonly to: Patient;
  readonly onOther: () => void;
  readonly onClose: () => void;
  readonly onMerged: (patientId: string) => void;
}

const isEmpty = ({ counts }: MergePreview) => Object.values(counts).every((count) => count === 0);

/** Preview of one direction with confirmation. */
const PreviewedMerge = ({ from, to, onOther, onClose, onMerged }: PreviewedMergeProps) => {
  const { t } = useTranslation(['merge', 'shell']);
  const records = useRecords();
  const preview = useQuery({ ...records.mergePreview(from.id, to.id), staleTime: 0 });
  const merge = async ({ seen }: MergePreview) => {
    const { studies } = await records.merge({ patientFromId: from.id, patientToId: to.id, seen });
    toast({ tone: 'good', text: t('done', { count: studies, name: nameOf(to) }), close: t('shell:close') });
    onClose();
    onMerged(to.id);
  };
  return (
    <Confirmation
      preview={preview}
      request={`${from.id} ${to.id}`}
      understoodText={(shown) => (isEmpty(shown) ? null : t('understood', { name: nameOf(to) }))}
      confirmText={t('move')}
      onConfirm={merge}
      onOther={onOther}
      onClose={onClose}
    >
      {(shown) =>
        isEmpty(shown) ? (
          <p>{t('nothing', { name: nameOf(from) })}</p>
        ) : (
          <>
            <WhatMoves preview={shown} />
            <IconAlert tone="caution">{t('warning', { name: nameOf(from) })}</IconAlert>
          </>
        )
      }
    </Confirmation>
  );
};
