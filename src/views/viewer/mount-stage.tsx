import { useEffect, useState } from 'react';
import { plainDisplay } from '../../../contract/displays.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import { emptyScene, type Images, type Scene, sceneOf } from '../../viewer/index.ts';
import { useStage } from './use-stage.ts';
import classes from './viewer.module.css';

interface MountStageProps {
  readonly viewset: Viewset;
  readonly openImages: () => Promise<Images>;
  /** Uids of the images whose own pixels are drawn by now. */
  readonly onDrawn: (uids: ReadonlySet<string>) => void;
}

/** Of the mount's width, on each side of an image. */
const gutter = 0.002;

const mountScene = (viewset: Viewset): Scene => ({
  ...emptyScene,
  images: viewset.viewSetItems.flatMap((item) => {
    const image = item.activeImage;
    if (image?.kind !== 'image') return [];
    const turned = { ...plainDisplay, rotation: item.rotation, horizontalFlip: item.horizontalFlip };
    const place = {
      x: item.xPos / viewset.width + gutter,
      y: item.yPos / viewset.height + gutter,
      width: item.width / viewset.width - 2 * gutter,
      height: item.height / viewset.height - 2 * gutter,
    };
    return sceneOf(image.uid, { place, display: item.display ?? turned }).images;
  }),
});

/** The images of a mount in their own pixels, below its slots. It is looked at only: hands and keys belong to the slots. */
export const MountStage = ({ viewset, openImages, onDrawn }: MountStageProps) => {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const stage = useStage(host, openImages, '', 0);
  useEffect(() => {
    if (!stage) return;
    const drawn = new Set<string>();
    const stops = [
      stage.on('view.drawn', ({ id }) => {
        if (drawn.has(id)) return;
        drawn.add(id);
        onDrawn(new Set(drawn));
      }),
    ];
    stage.show(mountScene(viewset));
    return () => {
      for (const stop of stops) stop();
      onDrawn(new Set());
    };
  }, [stage, viewset, onDrawn]);
  return <div ref={setHost} className={classes.host} inert />;
};
