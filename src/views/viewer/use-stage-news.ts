import { useEffect, useRef } from 'react';
import { selectSettingsOf, type ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import type { BoardView, IntentOf, Stage } from '../../viewer/index.ts';

interface NewsWishes {
  readonly stage: Stage | null;
  readonly actor: ViewerActor;
  /** In a mount every image is shown whole: where one looked at it alone is kept. */
  readonly isMount: boolean;
  readonly onChoose: (imageUid: string) => void;
  readonly onOpen: (imageUid: string) => void;
  readonly onBoardView: (view: BoardView) => void;
  readonly onCalibrationLine: (line: IntentOf<'calibration.drawn'>) => void;
}

/** What a stage tells becomes facts of the viewer, or wishes of the page. Frames drawn on the way stay between stage and overlay. */
export const useStageNews = (wishes: NewsWishes): void => {
  const { stage, actor } = wishes;
  const latest = useRef(wishes);
  useEffect(() => {
    latest.current = wishes;
  });
  useEffect(() => {
    if (!stage) return;
    const stops = [
      stage.on('image.loaded', ({ id, image }) =>
        actor.send({ type: 'image.loaded', imageUid: id, frames: image.description.numberOfFrames }),
      ),
      stage.on('image.failed', ({ id }) => actor.send({ type: 'image.failed', imageUid: id })),
      stage.on('gesture.begun', () => actor.send({ type: 'gesture.begun' })),
      stage.on('gesture.settled', ({ id, gesture, display, view }) => {
        // A reset forgets what was kept; it does not keep what the file asks for today.
        if (gesture === 'reset') return actor.send({ type: 'image.reset' });
        const kept = selectSettingsOf(id)(actor.getSnapshot());
        actor.send({
          type: 'display.settled',
          imageUid: id,
          display,
          view: latest.current.isMount ? kept.view : view,
        });
      }),
      stage.on('marks.settled', ({ id, marks }) => actor.send({ type: 'marks.settled', imageUid: id, marks })),
      stage.on('tool.wanted', ({ tool }) => actor.send({ type: 'tool.chosen', tool })),
      stage.on('frame.wanted', ({ frame }) => actor.send({ type: 'frame.chosen', frame })),
      stage.on('image.chosen', ({ id }) => latest.current.onChoose(id)),
      stage.on('image.opened', ({ id }) => latest.current.onOpen(id)),
      stage.on('board.settled', ({ view }) => latest.current.onBoardView(view)),
      stage.on('calibration.drawn', (line) => latest.current.onCalibrationLine(line)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [stage, actor]);
};
