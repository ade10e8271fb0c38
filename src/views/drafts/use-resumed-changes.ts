import { useSelector } from '@xstate/react';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { calibration, display, mark } from '../../../contract/displays.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import { inKnownOrder } from '../../machines/viewer/marks.rules.ts';
import { type Change, isOnStage } from '../../machines/viewer/saving.rules.ts';
import { isEqual } from '../../machines/viewer/versioned.rules.ts';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import { stageImageOf } from '../../machines/viewer/viewer.rules.ts';
import { selectShownViewset, type ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import { isDone, restorable } from '../../machines/viewset/viewset.rules.ts';
import { draftSubject, useDrafts, useResumedDraft } from '../app/drafts-context.ts';
import { toast } from '../ui/toast.ts';

const slot = z.number().int();
const displaced = z.string().nullable();
const operations = z.object({
  operations: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('mount'),
        imageUid: z.string(),
        from: z.enum(['tray', 'elsewhere']),
        to: slot,
        displaced,
      }),
      z.object({ kind: z.literal('unmount'), imageUid: z.string(), from: slot }),
      z.object({ kind: z.literal('move'), imageUid: z.string(), from: slot, to: slot, displaced }),
      z.object({
        kind: z.literal('move-in'),
        imageUid: z.string(),
        viewsetId: z.string(),
        from: slot,
        to: slot,
        displaced,
      }),
    ]),
  ),
});

const version = z.number().int();
/** Content of a draft of changed images. */
export const displayDraftContent = z.object({
  changes: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('display'),
        viewsetId: z.string().nullable(),
        imageUid: z.string(),
        display: display.nullable(),
        version,
      }),
      z.object({
        kind: z.literal('marks'),
        imageUid: z.string(),
        marks: z.array(mark),
        calibration: calibration.nullable(),
        version,
      }),
    ]),
  ),
});

const placeIn = (viewer: ViewerActor, change: Change) => {
  const { workspace } = viewer.getSnapshot().context;
  return isOnStage(workspace, change) ? stageImageOf(workspace, change.imageUid) : null;
};

/** Returns whether the server has the change, although its reply was lost. */
export const isSaved = (viewer: ViewerActor, change: Change): boolean => {
  const saved = placeIn(viewer, change);
  if (!saved) return false;
  if (change.kind === 'display') return isEqual(saved.display, change.display);
  return inKnownOrder(change.marks, saved.marks) === change.marks && isEqual(saved.calibration, change.calibration);
};

/** Returns whether another user has changed what this change is based on. */
const isOvertaken = (viewer: ViewerActor, change: Change): boolean => {
  const saved = placeIn(viewer, change);
  if (!saved || isSaved(viewer, change)) return false;
  return (change.kind === 'display' ? saved.displayVersion : saved.marksVersion) !== change.version;
};

/** Drops drafts that turn out to be saved. */
const useSavedDraftsForgotten = (viewer: ViewerActor, viewset: Viewset | null): void => {
  const drafts = useDrafts();
  const offered = useSyncExternalStore(drafts.subscribe, drafts.offered);
  const places = useSelector(viewer, ({ context }) => context.workspace.stageImages);
  // A dependency, because the effect reads the viewer's snapshot.
  useEffect(() => {
    if (places.length === 0 && !viewset) return;
    for (const { key, what, content } of offered) {
      const changes = what.kind === 'looks' ? displayDraftContent.safeParse(content).data?.changes : null;
      if (changes?.every((change) => isSaved(viewer, change))) drafts.drop(key);
      const matter = draftSubject.safeParse(what).data;
      if (matter?.kind !== 'hanging' || matter.viewsetId !== viewset?.viewSetUuid) continue;
      const stored = operations.safeParse(content).data?.operations;
      if (stored?.every((operation) => isDone(viewset, operation))) drafts.drop(key);
    }
  }, [offered, places, viewset, viewer, drafts]);
};

/** Applies stored changes of the mount and its images again once they are open and the user continues the draft. */
export const useResumedChanges = (viewer: ViewerActor, viewsets: ViewsetActor): void => {
  const { t } = useTranslation(['drafts', 'shell']);
  const drafts = useDrafts();
  const mountDraft = useResumedDraft(['hanging']);
  const shown = useSelector(viewsets, selectShownViewset);
  useSavedDraftsForgotten(viewer, shown);
  const displayDraft = useResumedDraft(['looks']);
  const changes = displayDraftContent.safeParse(displayDraft?.content).data?.changes ?? null;
  const isThere = useSelector(
    viewer,
    ({ context }) => changes?.some((change) => isOnStage(context.workspace, change)) === true,
  );
  const showToast = (text: string, tone: 'good' | 'bad') => toast({ tone, text, close: t('shell:close') });

  // Once per draft and location
  useEffect(() => {
    if (mountDraft?.what.kind !== 'hanging' || shown?.viewSetUuid !== mountDraft.what.viewsetId) return;
    const stored = operations.safeParse(mountDraft.content).data?.operations ?? [];
    const { again, lost } = restorable(shown, stored);
    if (again.length > 0) viewsets.send({ type: 'operations.restored', operations: again });
    drafts.drop(mountDraft.key);
    showToast(t(lost.length > 0 ? 'notPossible' : 'restored'), lost.length > 0 ? 'bad' : 'good');
  }, [mountDraft?.key, shown?.viewSetUuid]);

  // Once per draft and images
  useEffect(() => {
    if (!displayDraft || !changes || !isThere) return;
    const overtaken = changes.some((change) => isOvertaken(viewer, change));
    viewer.send({ type: 'changes.restored', changes });
    drafts.drop(displayDraft.key);
    showToast(t(overtaken ? 'imageChanged' : 'restored'), overtaken ? 'bad' : 'good');
  }, [displayDraft?.key, isThere]);
};
