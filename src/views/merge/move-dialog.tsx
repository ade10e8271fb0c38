import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Movable, MovePreview } from '../../../contract/moves.ts';
import type { Patient } from '../../../contract/patients.ts';
import { useRecords } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { undoToast } from '../ui/action-toast.tsx';
import { toast } from '../ui/toast.ts';
import { Confirmation, nameOf } from './confirmation.tsx';
import { FindOther, PatientFacts } from './find-other.tsx';
import classes from './merge.module.css';
import { MoveFacts, TargetStudy } from './target-study.tsx';

export interface RecordToMove {
  readonly what: Movable;
  readonly id: string;
  readonly name: string;
  readonly patientFromId: string;
  readonly customerId: string;
}

interface MoveDialogProps {
  readonly record: RecordToMove;
  /** The current patient, as far as known before the preview. */
  readonly from: Patient | null;
  /** Set when the target is known, as for an import into a patient. */
  readonly patientToId?: string;
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

/** Moves a study, series or image to another patient: search, effects, warnings and confirmation. */
export const MoveDialog = ({ record, from, patientToId, onClose, onMoved }: MoveDialogProps) => {
  const { t } = useTranslation(['merge', 'shell']);
  const [other, setOther] = useState<Patient | null>(null);
  const toId = patientToId ?? other?.id;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`move-${record.what}`)}
      size={640}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <p className={classes.record}>{record.name}</p>
      {toId === undefined ? (
        <>
          <div className={classes.pair}>
            <PatientFacts role={t('from')} patient={from} emptyText="" />
            <span aria-hidden="true">→</span>
            <PatientFacts role={t('to')} patient={null} emptyText={t('chooseTargetPatient')} />
          </div>
          <FindOther customerId={record.customerId} patientId={record.patientFromId} onChoose={setOther} />
          <div className={classes.end}>
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
          </div>
        </>
      ) : (
        <PreviewedMove
          record={record}
          patientToId={toId}
          onOther={patientToId === undefined ? () => setOther(null) : null}
          onClose={onClose}
          onMoved={onMoved}
        />
      )}
    </Modal>
  );
};

interface PreviewedMoveProps {
  readonly record: RecordToMove;
  readonly patientToId: string;
  readonly onOther: (() => void) | null;
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

/** Shows the preview, the target study of a series or image, and the confirmation. */
const PreviewedMove = ({ record, patientToId, onOther, onClose, onMoved }: PreviewedMoveProps) => {
  const { t } = useTranslation(['merge', 'shell', 'edit']);
  const failureText = useRecordFailureText();
  const records = useRecords();
  const { what, id, name, patientFromId } = record;
  const query = { what, id, patientFromId, patientToId };
  const preview = useQuery({ ...records.movePreview(query), staleTime: 0 });
  const [studyToId, setStudyToId] = useState<string | null>(null);

  const undo = async (moved: Awaited<ReturnType<typeof records.moveRecord>>, back: Patient) => {
    try {
      await records.moveRecord({
        what,
        id: moved.id,
        patientFromId: patientToId,
        patientToId: patientFromId,
        studyToId: what === 'study' ? null : moved.studyFromId,
      });
      toast({ tone: 'good', text: t('movedBack', { record: name, name: nameOf(back) }), close: t('shell:close') });
    } catch (error) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('shell:close') });
    }
  };
  const move = async ({ seen, from, to }: MovePreview) => {
    const moved = await records.moveRecord({ ...query, studyToId, seen });
    onClose();
    onMoved();
    undoToast({
      about: moved.id,
      text: t('moved', { record: name, name: nameOf(to) }),
      link: { text: t('openPatient'), href: `/patient/${patientToId}` },
      undo: t('edit:undo'),
      close: t('shell:close'),
      onUndo: () => void undo(moved, from),
    });
  };
  return (
    <Confirmation
      preview={preview}
      request={`${patientFromId} ${patientToId}`}
      understoodText={({ to }) => t('moveUnderstood', { name: nameOf(to) })}
      confirmText={t('moveNow')}
      onConfirm={move}
      onOther={onOther}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <div className={classes.pair}>
            <PatientFacts role={t('from')} patient={shown.from} emptyText="" />
            <span aria-hidden="true">→</span>
            <PatientFacts role={t('to')} patient={shown.to} emptyText="" />
          </div>
          <MoveFacts what={what} preview={shown} />
          {what !== 'study' && <TargetStudy patientId={patientToId} studyId={studyToId} onChoose={setStudyToId} />}
        </>
      )}
    </Confirmation>
  );
};
