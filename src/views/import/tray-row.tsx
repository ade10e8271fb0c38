import { useSelector } from '@xstate/react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ImportStudyActor,
  selectBytes,
  selectExpectedCount,
  selectFilesCount,
  selectFoundFiles,
  selectIsOffline,
  selectLostFiles,
  selectPercent,
  selectSpeed,
  selectStep,
  selectStudies,
  selectUploadFiles,
  selectWaitsForPerson,
} from '../../machines/import-study/import-study.machine.ts';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import { useGround } from '../ground.tsx';
import { toast } from '../parts/toast.ts';
import { DecideImport } from './decide-import.tsx';
import { FileList } from './file-list.tsx';
import { filesToAdd } from './groups.ts';
import { ImportRow } from './import-row.tsx';
import { Interrupted } from './interrupted.tsx';
import { notSentOf } from './not-sent.ts';
import { firstOffer } from './offers.ts';
import { RowProgress } from './row-progress.tsx';
import { RowResult } from './row-result.tsx';
import { sameFiles, shownFiles } from './shown-files.ts';
import { destinationsOf, type Outcome } from './shown-import.ts';
import { useCalmSelector } from './use-calm-selector.ts';
import { type StudySnapshot, useShownImport } from './use-shown-import.ts';

const figuresOf = (snapshot: StudySnapshot) => {
  const [{ done, total }, bytes] = [selectFilesCount(snapshot), selectBytes(snapshot)];
  return {
    ...{ filesDone: done, totalFiles: total, bytesLeft: bytes.total - bytes.loaded, speed: selectSpeed(snapshot) },
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
  const figures = useCalmSelector(actor, figuresOf, sameFigures);
  const step = useSelector(actor, selectStep);
  return <RowProgress shown={{ ...facts, ...figures, step }} />;
};
interface Facts {
  readonly outcome: Outcome;
  readonly incomplete: boolean;
  readonly waits: boolean;
}

const filesNow = (actor: ImportStudyActor) => (snapshot: StudySnapshot) =>
  shownFiles(
    selectUploadFiles(snapshot),
    selectFoundFiles(snapshot),
    notSentOf(actor),
    selectStep(snapshot) === 'uploading',
  );
const Files = ({ actor, name }: { actor: ImportStudyActor; name: string }) => (
  <FileList files={useCalmSelector(actor, filesNow(actor), sameFiles, 400)} name={name} />
);

const lostCount = (snapshot: StudySnapshot) => selectLostFiles(snapshot).length;

interface TrayRowProps {
  readonly tray: ImportsActor;
  readonly one: TrayImport;
  /** The archive cannot tell of progress now. */
  readonly down: boolean;
  /** Its studies are shown, when it asks for decisions. */
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

/** One import of the tray. */
export const TrayRow = ({ tray, one, down, open, onOpen }: TrayRowProps) => {
  const { actor } = one;
  const { t } = useTranslation('import');
  const { addFiles } = useGround();
  const place = useRef<HTMLDivElement>(null);
  const waits = useSelector(actor, selectIsOffline) || down;
  const { shown, may, counts, interrupted } = useShownImport(actor, waits);
  const studies = useSelector(actor, selectStudies);
  const found = useSelector(actor, selectFoundFiles);
  const expected = useSelector(actor, selectExpectedCount);
  const lost = useCalmSelector(actor, lostCount);
  const validates = useSelector(actor, selectWaitsForPerson);
  const done = shown.outcome === 'done';

  const row = () => place.current?.closest('li');
  const remove = () => {
    const { taskId } = actor.getSnapshot().context;
    if (taskId) firstOffer(tray, taskId);
    // The keyboard goes on where the row was.
    const next = row()?.nextElementSibling ?? row()?.previousElementSibling ?? row()?.closest('section');
    tray.send({ type: 'import.removed', id: one.id });
    if (next instanceof HTMLElement) next.focus();
  };
  const cancel = () => {
    actor.send({ type: 'import.cancelled' });
    remove();
  };
  const asks = () => {
    if (shown.outcome !== 'asks') return null;
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
      <Interrupted
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
        <div ref={place}>
          <Progress actor={actor} outcome={shown.outcome} incomplete={shown.incomplete} waits={waits} />
        </div>
      }
      result={
        <RowResult
          counts={counts}
          notSent={notSentOf(actor)}
          done={done}
          destinations={done ? destinationsOf(studies, found) : []}
        />
      }
      asks={asks()}
      files={() => <Files actor={actor} name={shown.name} />}
      may={may}
      onPause={() => actor.send({ type: 'upload.paused' })}
      onContinue={() => actor.send({ type: 'upload.resumed' })}
      onRetry={() => actor.send({ type: 'import.retried' })}
      onCancel={cancel}
      onRemove={remove}
    />
  );
};
