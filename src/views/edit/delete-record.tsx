import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditWish, Gone } from '../edit-wishes.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { useToothText } from '../language/tooth-notation.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { toast } from '../parts/toast.ts';
import { undoToast } from '../parts/undo-toast.tsx';
import { failureOfQuery, useReading } from '../reading.tsx';
import classes from './edit.module.css';

export type DeleteWish = Exclude<Extract<EditWish, { kind: `delete-${string}` }>, { kind: 'delete-patient' }>;

const uids = (images: readonly { readonly uid: string }[]) => images.map(({ uid }) => uid);

/** What the archive is asked to delete, and what is not there any more then. */
const goneWith = (wish: DeleteWish) => {
  switch (wish.kind) {
    case 'delete-study': {
      const { study } = wish;
      const gone: Gone = {
        viewsetIds: study.viewsets.map(({ viewSetUuid }) => viewSetUuid),
        seriesUids: [study.uid, ...uids(study.series)],
        imageUids: uids(study.series.flatMap(({ images }) => images)),
      };
      return { what: 'study', id: study.id, gone } as const;
    }
    case 'delete-series': {
      const { id, uid, images } = wish.series;
      return { what: 'series', id, gone: { viewsetIds: [], seriesUids: [uid], imageUids: uids(images) } } as const;
    }
    case 'delete-image': {
      const { uid } = wish.image;
      return { what: 'image', id: uid, gone: { viewsetIds: [], seriesUids: [], imageUids: [uid] } } as const;
    }
    case 'delete-viewset': {
      const id = wish.viewset.viewSetUuid;
      return { what: 'viewset', id, gone: { viewsetIds: [id], seriesUids: [], imageUids: [] } } as const;
    }
  }
};

/** What goes, by its name and in numbers. */
const useGoing = (wish: DeleteWish): { name: string; lines: readonly string[] } => {
  const { t } = useTranslation('edit');
  const toothText = useToothText();
  switch (wish.kind) {
    case 'delete-study': {
      const { study } = wish;
      const count = study.series.flatMap(({ images }) => images).length;
      const name = [study.studyDate, study.description].filter(Boolean).join(' ') || t('untitledStudy');
      const lines = [t('images', { count }), ...study.viewsets.map((viewset) => t('mount', { name: viewset.name }))];
      return { name, lines };
    }
    case 'delete-series': {
      const { description, modality, images } = wish.series;
      return { name: description?.trim() || modality, lines: [t('images', { count: images.length })] };
    }
    case 'delete-image': {
      const { image } = wish;
      return { name: toothText(image.teeth) || image.name.trim() || String(image.number ?? image.order), lines: [] };
    }
    case 'delete-viewset': {
      const { name, filledSlots } = wish.viewset;
      return { name, lines: [t('imagesStay', { count: filledSlots })] };
    }
  }
};

interface DeleteRecordProps {
  readonly wish: DeleteWish;
  readonly patientId: string;
  readonly onClose: () => void;
  readonly onGone: (gone: Gone) => void;
}

/** Asks before something goes into the recycle bin, and offers the way back for as long as a toast stays. */
export const DeleteRecord = ({ wish, patientId, onClose, onGone }: DeleteRecordProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const failureText = useRecordFailureText();
  const reading = useReading();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { what, id, gone } = goneWith(wish);
  const { name, lines } = useGoing(wish);
  const record = { what, id, patientId };

  const undo = async () => {
    try {
      await reading.restoreRecord(record);
      toast({ tone: 'good', text: t('restored', { name }), close: t('shell:close') });
    } catch (error) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('shell:close') });
    }
  };
  const remove = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await reading.deleteRecord(record);
      onClose();
      onGone(gone);
      const words = { text: t('deleted', { name }), undo: t('undo'), close: t('shell:close') };
      undoToast({ ...words, about: id, onUndo: () => void undo() });
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t(wish.kind)} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <p>{t('deleteQuestion', { name })}</p>
      {lines.length > 0 && (
        <ul className={classes.goes}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p className={classes.kept}>{t('keptInBin')}</p>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.end}>
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('shell:cancel')}
        </Button>
        <Button color="red.9" loading={busy} onClick={() => void remove()}>
          {t('delete')}
        </Button>
      </div>
    </Modal>
  );
};
