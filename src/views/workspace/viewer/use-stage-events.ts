import { useEffect, useEffectEvent } from 'react';
import { selectSettingsOf } from '../../../machines/viewer/viewer.machine.ts';
import type { Stage } from '../../../viewer/index.ts';
import { useWorkspace } from '../workspace-context.ts';
import type { ViewOptions } from './use-view-options.ts';

interface StageEventsOptions extends Pick<ViewOptions, 'setMountView' | 'setDialog'> {
  readonly stage: Stage | null;
  /** In a mount images are always fitted, so the stored view is kept. */
  readonly isMount: boolean;
  readonly onChoose: (imageUid: string) => void;
  readonly onOpen: (imageUid: string) => void;
  readonly onSlice: (by: 1 | -1) => void;
  /** Resets the active image. */
  readonly onReset: () => void;
}

/** Forwards stage events to the viewer machine and the page. Drawn frames stay between stage and overlay. */
export const useStageEvents = (options: StageEventsOptions): void => {
  const { stage, isMount, setMountView, setDialog } = options;
  const { viewer: actor } = useWorkspace();
  const choose = useEffectEvent(options.onChoose);
  const open = useEffectEvent(options.onOpen);
  const slice = useEffectEvent(options.onSlice);
  const reset = useEffectEvent(options.onReset);
  const keepsView = useEffectEvent(() => isMount);
  useEffect(() => {
    if (!stage) return;
    const stops = [
      stage.on('image.loaded', ({ id, image }) =>
        actor.send({ type: 'image.loaded', imageUid: id, frames: image.description.numberOfFrames }),
      ),
      stage.on('image.failed', ({ id }) => actor.send({ type: 'image.failed', imageUid: id })),
      stage.on('gesture.begun', () => actor.send({ type: 'gesture.begun' })),
      stage.on('gesture.settled', ({ id, display, view, followed }) => {
        const settings = selectSettingsOf(id)(actor.getSnapshot());
        actor.send({
          type: 'display.settled',
          imageUid: id,
          display,
          view: keepsView() ? settings.view : view,
          followed: followed.map((other) => ({ imageUid: other.id, display: other.display, view: other.view })),
        });
      }),
      stage.on('reset.requested', () => reset()),
      stage.on('marks.settled', ({ id, marks }) => actor.send({ type: 'marks.settled', imageUid: id, marks })),
      stage.on('tool.requested', ({ tool }) => actor.send({ type: 'tool.chosen', tool })),
      stage.on('frame.requested', ({ frame }) => actor.send({ type: 'frame.chosen', frame })),
      stage.on('slice.requested', ({ by }) => slice(by)),
      stage.on('image.chosen', ({ id }) => choose(id)),
      stage.on('image.opened', ({ id }) => open(id)),
      stage.on('mount.settled', ({ view }) => setMountView(view)),
      stage.on('calibration.drawn', (line) => setDialog(line)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [stage, actor, setMountView, setDialog]);
};
