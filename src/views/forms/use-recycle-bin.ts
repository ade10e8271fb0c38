import { useTranslation } from 'react-i18next';
import type { BinRecord } from '../../services/queries.ts';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { undoToast } from '../ui/action-toast.tsx';
import { toast } from '../ui/toast.ts';

interface NamedRecord extends BinRecord {
  readonly name: string;
}

interface RecycleBinOptions {
  /** The record was removed from its list. */
  readonly onGone?: (id: string) => void;
  /** The record returned to its list, by undo or after an error. */
  readonly onBack?: (id: string) => void;
  /** The server has completed the change, so lists are up to date. */
  readonly onDone?: (id: string) => void;
}

const isElsewhere = () => window.location.pathname.startsWith('/patient/');

/** Moves records into and out of the recycle bin; each move can be undone from its toast or with Ctrl+Z. */
export const useRecycleBin = ({ onGone, onBack, onDone }: RecycleBinOptions) => {
  const { t } = useTranslation(['edit', 'shell']);
  const { records } = useAppContext();
  const failureText = useRecordFailureText();
  const close = t('shell:close');
  const reportingFailure = async (work: () => Promise<void>, onFailure: () => void) => {
    try {
      await work();
    } catch (error) {
      onFailure();
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close });
    }
  };
  const offerUndo = (record: NamedRecord, text: string, way: 'delete' | 'restore', undoneText: string) =>
    undoToast({
      about: record.id,
      text,
      undo: t('undo'),
      close,
      // In the viewer workspace Ctrl+Z undoes image changes instead.
      byKey: () => !isElsewhere(),
      onUndo: () =>
        void reportingFailure(
          async () => {
            await (await records())[way](record);
            onBack?.(record.id);
            onDone?.(record.id);
            toast({ tone: 'good', text: undoneText, close });
          },
          () => {},
        ),
    });
  return {
    /** Moves a record into the recycle bin; rejects with the server's error. */
    remove: async (record: NamedRecord): Promise<void> => {
      await (await records()).delete(record);
      onGone?.(record.id);
      onDone?.(record.id);
      offerUndo(record, t('deleted', { name: record.name }), 'restore', t('restored', { name: record.name }));
    },
    /** Restores a record optimistically; on error it reappears with a message. */
    restore: (record: NamedRecord): void => {
      onGone?.(record.id);
      void reportingFailure(
        async () => {
          await (await records()).restore(record);
          onDone?.(record.id);
          offerUndo(record, t('restored', { name: record.name }), 'delete', t('deleted', { name: record.name }));
        },
        () => onBack?.(record.id),
      );
    },
  };
};
