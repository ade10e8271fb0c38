import { useSelector } from '@xstate/react';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'wouter';
import type { Patient } from '../../../contract/patients.ts';
import type { Study } from '../../../contract/studies.ts';
import { selectMay } from '../../machines/session/session.machine.ts';
import type { ShownContent } from '../app/shown-content.ts';
import { usePendingMarks } from '../drafts/use-pending-marks.ts';
import { useResumedChanges } from '../drafts/use-resumed-changes.ts';
import { useToothText } from '../language/tooth-notation.ts';
import { toast } from '../ui/toast.ts';
import { GradeSection } from './grades/grade-section.tsx';
import { useGrading } from './grades/use-grading.ts';
import { imageNote, mountNote } from './notes/note-parts.tsx';
import { pairOf } from './patient/content.ts';
import { ImageFacts } from './patient/image-facts.tsx';
import { viewsetPath } from './patient/patient-location.ts';
import type { Navigation } from './patient/use-navigation.ts';
import classes from './patient-workspace.module.css';
import { useImageStates } from './states/use-image-states.ts';
import { parseHistory } from './tooth-history/history-url.ts';
import { useOperationErrors, useSaveErrors } from './use-save-errors.ts';
import { shownImagesOf } from './viewer/scene-of-content.ts';
import { ViewerWorkspace } from './viewer/viewer-workspace.tsx';
import { ArrivalNotice } from './viewset/arrival-notice.tsx';
import { CutNotice } from './viewset/cut-notice.tsx';
import { ImageDragPreview } from './viewset/image-drag-preview.tsx';
import { filledBeside, itemOf, slotOfImage } from './viewset/mount-actions.ts';
import { MountStatus } from './viewset/mount-status.tsx';
import { Tray } from './viewset/tray.tsx';
import { useTwoRows } from './viewset/two-rows.ts';
import { useMountController } from './viewset/use-mount-controller.ts';
import { useMountDrops } from './viewset/use-mount-drops.ts';
import { useMountKeys } from './viewset/use-mount-keys.ts';
import { StudyBar, ViewsetBar } from './viewset/viewset-bar.tsx';
import { useWorkspace } from './workspace-context.ts';

interface PatientWorkspaceProps {
  readonly content: ShownContent;
  readonly patient: Patient;
  /** Study of the content. */
  readonly study: Study | null;
  readonly studies: readonly Study[];
  readonly navigation: Navigation;
}

/** Viewer workspace, slots above the canvas and tray below it, on one stage. */
export const PatientWorkspace = (props: PatientWorkspaceProps) => {
  const { content: opened, patient, study, studies, navigation } = props;
  const { t } = useTranslation('shell');
  const { session, viewer, viewsets } = useWorkspace();
  const rights = {
    unmount: !useSelector(session, selectMay('disable.detach_image')),
    move: !useSelector(session, selectMay('disable.move_view_set')),
  };
  const controller = useMountController({
    actor: viewsets,
    rights,
    onRejected: (text) => toast({ tone: 'bad', text, close: t('close') }),
  });
  useOperationErrors(viewsets);
  useSaveErrors(viewer);
  useResumedChanges(viewer, viewsets);
  const pendingMarks = usePendingMarks(viewer);
  const rows = useTwoRows(opened.kind === 'mount' ? opened.viewset : null);
  // The same object until the mount changes: the stage is updated for a new one.
  const arranged = useMemo(
    (): ShownContent | null => rows.viewset && { kind: 'mount', viewset: rows.viewset },
    [rows.viewset],
  );
  const content = arranged ?? opened;
  const mount =
    controller && content.kind === 'mount' ? { ...controller, viewset: rows.viewset ?? controller.viewset } : null;
  const typed = useMountKeys({ controller: mount, onOpen: navigation.open });
  const [compared, setCompared] = useState<string | null>(null);

  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  useMountDrops({
    mount,
    onOpenMount: (viewsetId) => {
      const target = studies.find(({ viewsets: own }) => own.some(({ viewSetUuid }) => viewSetUuid === viewsetId));
      if (target) navigate(viewsetPath(patient.id, target, viewsetId, parseHistory(params)));
    },
  });

  const selected = mount ? itemOf(mount.viewset, mount.slot) : null;
  const findActive = () => {
    if (content.kind === 'image') return content.shown;
    if (content.kind === 'mounts') {
      const images = shownImagesOf(content);
      const slotUid = controller && itemOf(controller.viewset, controller.slot)?.activeImage?.uid;
      return [compared, slotUid]
        .flatMap((uid) => images.find(({ image }) => image.uid === uid) ?? [])
        .concat(images.filter(({ viewsetId }) => viewsetId === content.prior.currentId))[0];
    }
    if (content.kind === 'compare')
      return [compared, content.prior?.currentUid]
        .flatMap((uid) => content.images.find(({ image }) => image.uid === uid) ?? [])
        .concat(content.images)[0];
    return selected?.activeImage
      ? { image: selected.activeImage, item: selected, viewsetId: content.viewset.viewSetUuid }
      : null;
  };
  const shown = findActive();
  const toothText = useToothText();
  const grading = useGrading(shown?.image ?? null);
  const states = useImageStates(shown?.image ?? null);
  /** Selects the slot of a compared image, so that the mount has it selected when the user returns. */
  const chooseSlotOf = useEffectEvent((imageUid: string) => {
    const item = controller ? slotOfImage(controller.viewset, imageUid) : null;
    if (item) controller?.chooseSlot(item.itemIndex);
  });
  const pairUid = content.kind === 'compare' ? content.prior?.currentUid : undefined;
  useEffect(() => {
    if (!pairUid) return;
    setCompared(pairUid);
    chooseSlotOf(pairUid);
  }, [pairUid]);
  const pairWith = (imageUid: string) => (content.kind === 'mounts' ? pairOf(content.prior, imageUid) : null);
  const choose = (imageUid: string) => {
    if (!mount) {
      setCompared(imageUid);
      return chooseSlotOf(pairWith(imageUid)?.currentUid ?? imageUid);
    }
    mount.focusZone.current = 'mount';
    mount.chooseSlot(slotOfImage(mount.viewset, imageUid)?.itemIndex ?? null);
  };
  const open = (imageUid: string) => {
    const pair = pairWith(imageUid);
    if (pair) navigation.openPair(pair);
    else navigation.open(imageUid);
  };
  const step = (by: 1 | -1) => {
    if (!mount) return navigation.step(by);
    const next = shown ? filledBeside(mount.viewset, shown.image.uid, by) : null;
    if (next) mount.chooseSlot(next.itemIndex);
  };

  return (
    <div className={classes.workspace} data-workspace data-two-rows={rows.viewset !== null || undefined}>
      <ViewerWorkspace
        patient={{
          name: `${patient.mainInfo.firstName} ${patient.mainInfo.lastName}`,
          personalNumber: patient.mainInfo.personalNumber,
          protectedIdentity: patient.mainInfo.protectedIdentity,
        }}
        content={content}
        activeUid={shown?.image.uid ?? null}
        navigation={{ ...navigation, open, step }}
        onChoose={choose}
        pendingMarks={pendingMarks}
        mount={mount}
        bar={
          controller ? (
            <ViewsetBar viewset={controller.viewset} study={study} studies={studies} rows={mount && rows} />
          ) : (
            study && <StudyBar study={study} />
          )
        }
        notes={[
          ...(shown ? [imageNote(shown, toothText)] : []),
          ...(mount ? [mountNote(mount.viewset, study?.studyDate ?? null)] : []),
        ]}
        grading={
          grading && {
            accept: () => void grading.grade({ grade: 'A' }),
            body: <GradeSection key={grading.imageUid} grading={grading} />,
          }
        }
        states={states}
        aside={shown && <ImageFacts image={shown.image} slotTeeth={shown.item?.teeth ?? []} />}
      />
      <CutNotice controller={mount} />
      {mount && <ArrivalNotice key={mount.viewset.viewSetUuid} viewset={mount.viewset} />}
      <ImageDragPreview />
      {mount && <Tray controller={mount} onOpen={navigation.open} />}
      {mount && <MountStatus controller={mount} typed={typed} />}
    </div>
  );
};
