import { useEffect } from 'react';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import type { Stage } from '../../viewer/index.ts';

/** What a stage tells becomes facts of the viewer. Frames drawn on the way stay between stage and overlay. */
export const useStageNews = (stage: Stage | null, actor: ViewerActor): void => {
  useEffect(() => {
    if (!stage) return;
    const stops = [
      stage.on('image.loaded', ({ id, image }) =>
        actor.send({ type: 'image.loaded', imageUid: id, frames: image.description.numberOfFrames }),
      ),
      stage.on('image.failed', ({ id }) => actor.send({ type: 'image.failed', imageUid: id })),
      stage.on('gesture.begun', () => actor.send({ type: 'gesture.begun' })),
      stage.on('gesture.settled', ({ id, display, view }) =>
        actor.send({ type: 'display.settled', imageUid: id, display, view }),
      ),
      stage.on('tool.wanted', ({ tool }) => actor.send({ type: 'tool.chosen', tool })),
      stage.on('frame.wanted', ({ frame }) => actor.send({ type: 'frame.chosen', frame })),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [stage, actor]);
};
