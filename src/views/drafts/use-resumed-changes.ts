import { useSelector } from '@xstate/react';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { calibration, display, mark } from '../../../contract/displays.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import { isSame } from '../../machines/viewer/kept.rules.ts';
import { type Change, isOnStage } from '../../machines/viewer/saving.rules.ts';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import { placeOf } from '../../machines/viewer/viewer.rules.ts';
import { selectShownViewset, type ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import { isDone, restorable } from '../../machines/viewset/viewset.rules.ts';
import { draftMatter, useDrafts, useResumedDraft } from '../kept-drafts.ts';
import { toast } from '../parts/toast.ts';

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
      z.object({ kind: z.literal('move-out'), imageUid: z.string(), from: slot, viewsetId: z.string(), to: slot }),
    ]),
  ),
});

const version = z.number().int();
const looks = z.object({
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
  const { room } = viewer.getSnapshot().context;
  return isOnStage(room, change) ? placeOf(room, change.imageUid) : null;
};

/** Does the archive have it, although its answer was never heard? */
const isSaved = (viewer: ViewerActor, change: Change): boolean => {
  const place = placeIn(viewer, change);
  if (!place) return false;
  if (change.kind === 'display') return isSame(place.display, change.display);
  return isSame(place.marks, change.marks) && isSame(place.calibration, change.calibration);
};

/** Has somebody else changed what this change was based on? */
const isOvertaken = (viewer: ViewerActor, change: Change): boolean => {
  const place = placeIn(viewer, change);
  if (!place || isSaved(viewer, change)) return false;
  return (change.kind === 'display' ? place.displayVersion : place.marksVersion) !== change.version;
};

/** Drafts that the archive turns out to have are offered to nobody. */
const useSavedDraftsForgotten = (viewer: ViewerActor, viewset: Viewset | null): void => {
  const drafts = useDrafts();
  const offered = useSyncExternalStore(drafts.subscribe, drafts.offered);
  const places = useSelector(viewer, ({ context }) => context.room.places);
  // `places`: what is on the stage is asked of the viewer itself.
  useEffect(() => {
    if (places.length === 0 && !viewset) return;
    for (const { key, what, content } of offered) {
      const changes = what.kind === 'looks' ? looks.safeParse(content).data?.changes : null;
      if (changes?.every((change) => isSaved(viewer, change))) drafts.drop(key);
      const matter = draftMatter.safeParse(what).data;
      if (matter?.kind !== 'hanging' || matter.viewsetId !== viewset?.viewSetUuid) continue;
      const kept = operations.safeParse(content).data?.operations;
      if (kept?.every((operation) => isDone(viewset, operation))) drafts.drop(key);
    }
  }, [offered, places, viewset, viewer, drafts]);
};

/** Does kept changes of the mount and of its images again, as soon as they are before the person who wanted to go on with them. */
export const useResumedChanges = (viewer: ViewerActor, viewsets: ViewsetActor): void => {
  const { t } = useTranslation(['drafts', 'shell']);
  const drafts = useDrafts();
  const hanging = useResumedDraft(['hanging']);
  const shown = useSelector(viewsets, selectShownViewset);
  useSavedDraftsForgotten(viewer, shown);
  const look = useResumedDraft(['looks']);
  const changes = looks.safeParse(look?.content).data?.changes ?? null;
  const isThere = useSelector(
    viewer,
    ({ context }) => changes?.some((change) => isOnStage(context.room, change)) === true,
  );
  const say = (text: string, tone: 'good' | 'bad') => toast({ tone, text, close: t('shell:close') });

  // Done once for a draft and the place that it is about
  useEffect(() => {
    if (hanging?.what.kind !== 'hanging' || shown?.viewSetUuid !== hanging.what.viewsetId) return;
    const kept = operations.safeParse(hanging.content).data?.operations ?? [];
    const { again, lost } = restorable(shown, kept);
    if (again.length > 0) viewsets.send({ type: 'operations.restored', operations: again });
    drafts.drop(hanging.key);
    say(t(lost.length > 0 ? 'notPossible' : 'restored'), lost.length > 0 ? 'bad' : 'good');
  }, [hanging?.key, shown?.viewSetUuid]);

  // Done once for a draft and the images that it is about
  useEffect(() => {
    if (!look || !changes || !isThere) return;
    const overtaken = changes.some((change) => isOvertaken(viewer, change));
    viewer.send({ type: 'changes.restored', changes });
    drafts.drop(look.key);
    say(t(overtaken ? 'lookChanged' : 'restored'), overtaken ? 'bad' : 'good');
  }, [look?.key, isThere]);
};
