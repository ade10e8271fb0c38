import { useEffect, useState } from 'react';
import type { Viewset } from '../../../contract/viewsets.ts';
import { type Display, emptyScene, type Images, type Rotation, type Scene } from '../../viewer/index.ts';
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

const rotations: readonly Rotation[] = [0, 90, 180, 270];
const rotationOf = (degrees: number): Rotation =>
  rotations.find((rotation) => rotation === ((degrees % 360) + 360) % 360) ?? 0;

const sceneOf = (viewset: Viewset, displays: ReadonlyMap<string, Display>): Scene => ({
  ...emptyScene,
  images: viewset.viewSetItems.flatMap((item) =>
    item.activeImage?.kind === 'image'
      ? [
          {
            id: item.activeImage.uid,
            source: item.activeImage.uid,
            frame: 1,
            place: {
              x: item.xPos / viewset.width + gutter,
              y: item.yPos / viewset.height + gutter,
              width: item.width / viewset.width - 2 * gutter,
              height: item.height / viewset.height - 2 * gutter,
            },
            display: displays.get(item.activeImage.uid) ?? null,
            view: 'fit' as const,
          },
        ]
      : [],
  ),
});

/** The images of a mount in their own pixels, below its slots. It is looked at only: hands and keys belong to the slots. */
export const MountStage = ({ viewset, openImages, onDrawn }: MountStageProps) => {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const stage = useStage(host, openImages, '', 0);
  useEffect(() => {
    if (!stage) return;
    const displays = new Map<string, Display>();
    const drawn = new Set<string>();
    const stops = [
      stage.on('image.loaded', ({ id, image }) => {
        const item = viewset.viewSetItems.find(({ activeImage }) => activeImage?.uid === id);
        const rotation = rotationOf(item?.rotation ?? 0);
        const flipped = item?.horizontalFlip ?? false;
        if (displays.has(id) || (rotation === 0 && !flipped)) return;
        displays.set(id, { ...image.original, rotation, flipped });
        stage.show(sceneOf(viewset, displays));
      }),
      stage.on('view.drawn', ({ id }) => {
        if (drawn.has(id)) return;
        drawn.add(id);
        onDrawn(new Set(drawn));
      }),
    ];
    stage.show(sceneOf(viewset, displays));
    return () => {
      for (const stop of stops) stop();
      onDrawn(new Set());
    };
  }, [stage, viewset, onDrawn]);
  return <div ref={setHost} className={classes.host} inert />;
};
