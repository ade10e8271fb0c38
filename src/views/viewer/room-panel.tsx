import { type ReactNode, useEffect, useState } from 'react';
import { plainDisplay } from '../../../contract/displays.ts';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import { type Display, type Scene, withImage } from '../../viewer/index.ts';
import { DisplayPanel } from './display-panel.tsx';
import type { KeptSettings } from './scene-of-content.ts';
import { useDraft } from './use-draft.ts';
import { useHistogram } from './use-histogram.ts';
import { useLoadedImage } from './use-memory.ts';
import type { OpenStage } from './use-stage.ts';

interface RoomPanelProps {
  readonly actor: ViewerActor;
  readonly open: OpenStage | null;
  readonly scene: Scene;
  readonly inHand: string | null;
  readonly settings: KeptSettings | null;
  readonly aside: ReactNode;
}

/** The display while a hand on the stage changes it; null while none does. */
const useHeldDisplay = (open: OpenStage | null, inHand: string | null): Display | null => {
  const [held, setHeld] = useState<{ readonly id: string; readonly display: Display } | null>(null);
  useEffect(() => {
    if (!open || inHand === null) return;
    let holding = false;
    const stops = [
      open.stage.on('gesture.begun', ({ id }) => {
        holding = id === inHand;
      }),
      open.stage.on('view.drawn', ({ id, display }) => {
        if (holding && id === inHand) setHeld({ id, display });
      }),
      open.stage.on('gesture.settled', ({ id }) => {
        if (id !== inHand) return;
        holding = false;
        setHeld(null);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      setHeld(null);
    };
  }, [open, inHand]);
  return held?.id === inHand ? held.display : null;
};

/** The panel of the image in hand. A slider moves the stage at once; the machine hears of it when the hand lets go. */
export const RoomPanel = ({ actor, open, scene, inHand, settings, aside }: RoomPanelProps) => {
  const image = useLoadedImage(open?.memory ?? null, inHand);
  const histogram = useHistogram(open?.images ?? null, image);
  const held = useHeldDisplay(open, inHand);
  const draft = useDraft({
    imageUid: inHand,
    display: held ?? settings?.display ?? plainDisplay,
    onLive: (display) => {
      if (inHand !== null) open?.stage.show(withImage(scene, inHand, (one) => ({ ...one, display })));
    },
    onSettle: (display) => {
      if (inHand !== null && settings)
        actor.send({ type: 'display.settled', imageUid: inHand, display, view: settings.view });
    },
  });
  const plain = scene.images.find(({ id }) => id === inHand)?.plain ?? plainDisplay;
  return (
    <DisplayPanel
      image={image}
      held={inHand !== null}
      histogram={histogram}
      draft={draft}
      plainRotation={plain.rotation}
      marks={settings?.marks ?? []}
      calibration={settings?.calibration ?? null}
      aside={aside}
      onMarks={(marks) => inHand !== null && actor.send({ type: 'marks.settled', imageUid: inHand, marks })}
      onCalibrate={() => actor.send({ type: 'tool.chosen', tool: 'calibrate' })}
      onUncalibrate={() =>
        inHand !== null && actor.send({ type: 'image.calibrated', imageUid: inHand, calibration: null })
      }
    />
  );
};
