import { act } from '@testing-library/react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { Template, Viewset } from '../../../contract/viewsets.ts';
import type { ViewerActor } from '../../../src/machines/viewer/viewer.machine.ts';
import type { ViewsetActor } from '../../../src/machines/viewset/viewset.machine.ts';
import type { Stage } from '../../../src/viewer/index.ts';
import { type AppQueries, AppQueriesProvider } from '../../../src/views/app/queries-context.tsx';
import { CutNotice } from '../../../src/views/workspace/viewset/cut-notice.tsx';
import { ImageDragPreview } from '../../../src/views/workspace/viewset/image-drag-preview.tsx';
import type { MountRights } from '../../../src/views/workspace/viewset/mount-actions.ts';
import { MountOverlay } from '../../../src/views/workspace/viewset/mount-overlay.tsx';
import { MountStatus } from '../../../src/views/workspace/viewset/mount-status.tsx';
import { Tray } from '../../../src/views/workspace/viewset/tray.tsx';
import { useMountController } from '../../../src/views/workspace/viewset/use-mount-controller.ts';
import { useMountDrops } from '../../../src/views/workspace/viewset/use-mount-drops.ts';
import { useMountKeys } from '../../../src/views/workspace/viewset/use-mount-keys.ts';
import { InWorkspace } from '../in-workspace.tsx';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';
import { mutedStage, openedActor } from './mount-fixture.ts';

interface MountPageProps {
  readonly actor: ViewsetActor;
  readonly stage: Stage;
  readonly rights: MountRights;
  readonly onOpen: (imageUid: string) => void;
  readonly onRejected: (text: string) => void;
  /** Shown beside the mount, and while none is shown. */
  readonly beside: ReactNode;
}

const MountPage = ({ actor, stage, rights, onOpen, onRejected, beside }: MountPageProps) => {
  const controller = useMountController({ actor, rights, onRejected });
  const typed = useMountKeys({ controller, onOpen });
  useMountDrops({ mount: controller, onOpenMount: (viewsetId) => actor.send({ type: 'viewset.opened', viewsetId }) });
  const reverse = useEffectEvent(({ key, ctrlKey, shiftKey }: KeyboardEvent) => {
    if (!ctrlKey || key.toLowerCase() !== 'z') return;
    if (shiftKey) controller?.history.redo();
    else controller?.history.undo();
  });
  // The keys of the viewer need a stage.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => reverse(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  if (!controller) return beside;
  return (
    <>
      {beside}
      <button type="button">Somewhere else</button>
      <button type="button" disabled={!controller.history.canRedo}>
        Redo
      </button>
      <input aria-label="Text" />
      <div>
        <MountOverlay
          controller={controller}
          stage={stage}
          transform={{ left: 0, top: 0, scale: 0.1 }}
          isDrawn={() => false}
          onOpen={onOpen}
        />
      </div>
      <Tray controller={controller} onOpen={onOpen} />
      <CutNotice controller={controller} />
      <MountStatus controller={controller} typed={typed} />
      <ImageDragPreview />
    </>
  );
};

const queriesWith = (templates: Promise<readonly Partial<Template>[]>) => ({
  patient: () => ({ queryKey: ['patient'], queryFn: async () => ({ customerId: idOf(2) }) }),
  templates: () => ({ queryKey: ['templates'], queryFn: () => templates }),
});

const allRights: MountRights = { unmount: true, move: true };

/** Renders as `renderMount`, with the templates of the clinic. */
export const renderMountWith = async (
  templates: Promise<readonly Partial<Template>[]>,
  viewset: Viewset,
  rights: MountRights = allRights,
  others: readonly Viewset[] = [],
  beside: ReactNode = null,
) => {
  const { actor, calls } = await openedActor(viewset, ...others);
  const { stage, emit } = mutedStage();
  let changes = 0;
  const observers = new Set<{ next: () => void }>();
  const viewer = {
    subscribe: (observer: { next: () => void }) => {
      observers.add(observer);
      return { unsubscribe: () => observers.delete(observer) };
    },
    getSnapshot: () => {
      const past = changes === 0 ? [] : [{ change: changes }];
      const imageStates = { '/active': { past } };
      return {
        context: {
          imageUid: 'active',
          workspace: { change: changes, stageImages: [{ imageUid: 'active', viewsetId: null }], imageStates },
        },
      };
    },
  };
  const opened: string[] = [];
  const rejections: string[] = [];
  const page = await show(
    <AppQueriesProvider value={queriesWith(templates) as unknown as AppQueries}>
      <InWorkspace viewsets={actor} viewer={viewer as unknown as ViewerActor}>
        <MountPage
          actor={actor}
          stage={stage}
          rights={rights}
          onOpen={(uid) => opened.push(uid)}
          onRejected={(text) => rejections.push(text)}
          beside={beside}
        />
      </InWorkspace>
    </AppQueriesProvider>,
  );
  /** A change of the active image, later than all placements so far. */
  const changeImage = () =>
    act(async () => {
      changes += 1;
      for (const observer of observers) observer.next();
    });
  return { actor, calls, emit, opened, rejections, page, changeImage };
};

/** Renders the mount, its tray and its keys over the real machine with an accepting server. */
export const renderMount = (viewset: Viewset, rights?: MountRights, ...others: readonly Viewset[]) =>
  renderMountWith(Promise.resolve([]), viewset, rights, others);
