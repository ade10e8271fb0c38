import { useSelector } from '@xstate/react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitReason } from '../../machines/import-study/import-study.machine.ts';
import {
  type ImportStudyActor,
  selectBytes,
  selectExpectedCount,
  selectFilesCount,
  selectFoundFiles,
  selectLeftOut,
  selectLostFiles,
  selectPercent,
  selectSpeed,
  selectStep,
  selectStudies,
  selectUploadFiles,
  selectWaitReason,
  selectWaitsForPerson,
} from '../../machines/import-study/import-study.machine.ts';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import { useAppContext } from '../app/app-context.tsx';
import { toast } from '../ui/toast.ts';
import { DecideImport } from './decide-import.tsx';
import { FileList, sameFiles, shownFiles } from './file-list.tsx';
import { filesToAdd } from './groups.ts';
import { ImportRow } from './import-row.tsx';
import { InterruptedUpload } from './row-commands.tsx';
import { RowProgress } from './row-progress.tsx';
import { RowResult } from './row-result.tsx';
import { destinationsOf, type Outcome } from './shown-import.ts';
import { firstOffer } from './use-open-imports.ts';
import { type StudySnapshot, useShownImport } from './use-shown-import.ts';
import { useThrottledSelector } from './use-throttled.ts';

const figuresOf = (snapshot: StudySnapshot) => {
  const [{ done, total }, bytes] = [selectFilesCount(snapshot), selectBytes(snapshot)];
  return {
    filesDone: done,
    totalFiles: total,
    bytesLeft: bytes.total - bytes.loaded,
    speed: selectSpeed(snapshot),
    percent: selectPercent(snapshot),
  };
};
type Figures = ReturnType<typeof figuresOf>;
const sameFigures = (one: Figures, other: Figures) =>
  one.filesDone === other.filesDone &&
  one.totalFiles === other.totalFiles &&
  one.bytesLeft === other.bytesLeft &&
  one.speed === other.speed &&
  one.percent === other.percent;

const Progress = ({ actor, ...facts }: { actor: ImportStudyActor } & Facts) => {
  const figures = useThrottledSelector(actor, figuresOf, sameFigures);
  const step = useSelector(actor, selectStep);
  return <RowProgress shown={{ ...facts, ...figures, step }} />;
};
interface Facts {
  readonly outcome: Outcome;
  readonly incomplete: boolean;
  readonly waitReason: WaitReason | null;
}

const filesNow = (snapshot: StudySnapshot) =>
  shownFiles(
    selectUploadFiles(snapshot),
    selectFoundFiles(snapshot),
    selectLeftOut(snapshot),
    selectStep(snapshot) === 'uploading',
  );
const Files = ({ actor, name }: { actor: ImportStudyActor; name: string }) => (
  <FileList files={useThrottledSelector(actor, filesNow, sameFiles, 400)} name={name} />
);

const lostCount = (snapshot: StudySnapshot) => selectLostFiles(snapshot).length;

interface TrayRowProps {
  readonly tray: ImportsActor;
  readonly one: TrayImport;
  /** The connection for progress events is lost. */
  readonly isConnectionLost: boolean;
  /** Its studies are expanded when it waits for decisions. */
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

/** Renders one import of the tray. */
export const TrayRow = ({ tray, one, isConnectionLost, open, onOpen }: TrayRowProps) => {
  const { actor } = one;
  const { t } = useTranslation('import');
  const { addFiles } = useAppContext();
  const rowBox = useRef<HTMLDivElement>(null);
  const waitReason = useSelector(actor, selectWaitReason) ?? (isConnectionLost ? 'connection' : null);
  const { shown, available, counts, interrupted } = useShownImport(actor, waitReason);
  const studies = useSelector(actor, selectStudies);
  const found = useSelector(actor, selectFoundFiles);
  const expected = useSelector(actor, selectExpectedCount);
  const leftOut = useSelector(actor, selectLeftOut);
  const lost = useThrottledSelector(actor, lostCount);
  const validates = useSelector(actor, selectWaitsForPerson);
  const done = shown.outcome === 'done';

  const row = () => rowBox.current?.closest('li');
  const remove = () => {
    const { taskId } = actor.getSnapshot().context;
    if (taskId) firstOffer(tray, taskId);
    // Focus moves to where the removed row was.
    const next = row()?.nextElementSibling ?? row()?.previousElementSibling ?? row()?.closest('section');
    tray.send({ type: 'import.removed', id: one.id });
    if (next instanceof HTMLElement) next.focus();
  };
  const cancel = () => {
    actor.send({ type: 'import.cancelled' });
    remove();
  };
  const question = () => {
    if (shown.outcome !== 'needs-decision') return null;
    if (validates)
      return (
        <DecideImport
          one={one}
          open={open}
          onOpen={onOpen}
          onConfirm={() => {
            row()?.focus();
            actor.send({ type: 'import.confirmed' });
          }}
        />
      );
    return (
      <InterruptedUpload
        arrived={shown.arrived}
        expected={Math.max(expected, shown.arrived)}
        lost={interrupted ? 0 : lost}
        onResume={() => actor.send({ type: 'import.resumed' })}
        onDiscard={cancel}
        onAdd={(read) => {
          if (addFiles(actor, filesToAdd(read)) === 0) toast({ tone: 'bad', text: t('addedNone'), close: t('close') });
        }}
      />
    );
  };
  return (
    <ImportRow
      shown={shown}
      progress={
        <div ref={rowBox}>
          <Progress actor={actor} outcome={shown.outcome} incomplete={shown.incomplete} waitReason={waitReason} />
        </div>
      }
      result={
        <RowResult
          counts={counts}
          notSent={leftOut}
          done={done}
          destinations={done ? destinationsOf(studies, found) : []}
        />
      }
      question={question()}
      files={() => <Files actor={actor} name={shown.name} />}
      available={available}
      onPause={() => actor.send({ type: 'upload.paused' })}
      onContinue={() => actor.send({ type: 'upload.resumed' })}
      onRetry={() => actor.send({ type: 'import.retried' })}
      onCancel={cancel}
      onRemove={remove}
    />
  );
};
