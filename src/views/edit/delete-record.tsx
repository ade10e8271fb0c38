import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Gone } from '../app/edit-requests.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { undoToast } from '../ui/action-toast.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './edit.module.css';
import { type DeleteRequest, recordOf, useRecordText } from './record-of-request.ts';

interface DeleteRecordProps {
  readonly request: DeleteRequest;
  readonly patientId: string;
  readonly onClose: () => void;
  readonly onGone: (gone: Gone) => void;
}

/** Confirms a deletion and offers Undo in a toast. */
export const DeleteRecord = ({ request, patientId, onClose, onGone }: DeleteRecordProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const failureText = useRecordFailureText();
  const queries = useAppQueries();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { what, id, gone } = recordOf(request);
  const { name, lines } = useRecordText(request);
  const record = { what, id, patientId };

  const undo = async () => {
    try {
      await queries.restoreRecord(record);
      toast({ tone: 'good', text: t('restored', { name }), close: t('shell:close') });
    } catch (error) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('shell:close') });
    }
  };
  const remove = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await queries.deleteRecord(record);
      onClose();
      onGone(gone);
      const texts = { text: t('deleted', { name }), undo: t('undo'), close: t('shell:close') };
      undoToast({ ...texts, about: id, onUndo: () => void undo() });
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t(request.kind)} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <p>{t('deleteQuestion', { name })}</p>
      {lines.length > 0 && (
        <ul className={classes.goes}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p className={classes.note}>{t('movedToBin')}</p>
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
