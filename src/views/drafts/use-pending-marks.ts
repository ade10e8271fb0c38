import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import { queryRoots } from '../../services/queries.ts';
import { useDrafts } from '../app/drafts-context.ts';
import { displayDraftContent, isSaved } from './use-resumed-changes.ts';

/** A request of a closed page ends within 30 seconds. */
const refetchMs = 2_000;
const maxRefetches = 15;

/**
 * Returns images whose measurements an earlier page of this tab changed and may still be saving. Until then, or until the user
 * continues or discards the draft, the calibration just read may be outdated. Refetches meanwhile.
 */
export const usePendingMarks = (viewer: ViewerActor): ReadonlySet<string> => {
  const client = useQueryClient();
  const drafts = useDrafts();
  const offered = useSyncExternalStore(drafts.subscribe, drafts.offered);
  const places = useSelector(viewer, ({ context }) => context.workspace.stageImages);
  // `images` of the viewer are a dependency, because `isSaved` reads its snapshot.
  const pending = useMemo(() => {
    const changes = offered.flatMap(({ what, content }) =>
      what.kind === 'looks' ? (displayDraftContent.safeParse(content).data?.changes ?? []) : [],
    );
    const open = changes.filter((change) => change.kind === 'marks' && !isSaved(viewer, change));
    return new Set(open.map(({ imageUid }) => imageUid));
  }, [offered, places, viewer]);

  const isWaiting = pending.size > 0;
  useEffect(() => {
    if (!isWaiting) return;
    let refetchesLeft = maxRefetches;
    const timer = setInterval(() => {
      refetchesLeft -= 1;
      for (const root of [queryRoots.viewset, queryRoots.studies]) void client.invalidateQueries({ queryKey: [root] });
      if (refetchesLeft === 0) clearInterval(timer);
    }, refetchMs);
    return () => clearInterval(timer);
  }, [isWaiting, client]);
  return pending;
};
