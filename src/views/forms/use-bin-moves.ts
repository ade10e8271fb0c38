import { useTranslation } from 'react-i18next';
import type { BinRecord } from '../../services/queries.ts';
import { useGround } from '../ground.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { toast } from '../parts/toast.ts';
import { undoToast } from '../parts/undo-toast.tsx';
import { failureOfQuery } from '../reading.tsx';

export interface NamedRecord extends BinRecord {
  readonly name: string;
}

interface BinMovesOptions {
  /** It left the place where it was shown. */
  readonly onGone?: (id: string) => void;
  /** It came back there, by undo or because the archive refused. */
  readonly onBack?: (id: string) => void;
  /** The archive has done the one or the other: from now on its lists say so themselves. */
  readonly onDone?: (id: string) => void;
}

const isElsewhere = () => window.location.pathname.startsWith('/patient/');

/** Moves records into the recycle bin and out of it; for as long as its toast stays, each move can be taken back, with Ctrl+Z too. */
export const useBinMoves = ({ onGone, onBack, onDone }: BinMovesOptions) => {
  const { t } = useTranslation(['edit', 'shell']);
  const { records } = useGround();
  const failureText = useRecordFailureText();
  const close = t('shell:close');
  const telling = async (work: () => Promise<void>, otherwise: () => void) => {
    try {
      await work();
    } catch (error) {
      otherwise();
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close });
    }
  };
  const offerUndo = (record: NamedRecord, text: string, way: 'delete' | 'restore', undone: string) =>
    undoToast({
      ...{ about: record.id, text, undo: t('undo'), close },
      // In the reading room the same key takes back what was done to an image.
      byKey: () => !isElsewhere(),
      onUndo: () =>
        void telling(
          async () => {
            await (await records())[way](record);
            onBack?.(record.id);
            onDone?.(record.id);
            toast({ tone: 'good', text: undone, close });
          },
          () => {},
        ),
    });
  return {
    /** Into the recycle bin; rejects with what the archive refused. */
    remove: async (record: NamedRecord): Promise<void> => {
      await (await records()).delete(record);
      onGone?.(record.id);
      onDone?.(record.id);
      offerUndo(record, t('deleted', { name: record.name }), 'restore', t('restored', { name: record.name }));
    },
    /** Out of the recycle bin: gone from there at once, and there again with a message when the archive refuses. */
    restore: (record: NamedRecord): void => {
      onGone?.(record.id);
      void telling(
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
