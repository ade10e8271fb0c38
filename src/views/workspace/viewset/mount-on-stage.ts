import { useEffect, useState } from 'react';
import type { Viewset } from '../../../../contract/viewsets.ts';
import type { Stage } from '../../../viewer/index.ts';

/** Position of a mount on the stage in CSS pixels, and CSS pixels per mount unit. */
export interface MountTransform {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** Moves the element of a mount, outside of React, in the frame in which the stage draws. */
export const placeMount = (element: HTMLElement, { left, top, scale }: MountTransform): void => {
  element.style.transform = `translate(${left}px, ${top}px)`;
  element.style.setProperty('--s', String(scale));
};

/** Returns the UIDs of the images whose pixels the stage has drawn. `isDrawn`: whether it had before the first render. */
export const useDrawnImages = (
  stage: Stage,
  viewsets: readonly Viewset[],
  isDrawn: (imageUid: string) => boolean,
): ReadonlySet<string> => {
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        viewsets
          .flatMap(({ viewSetItems }) => viewSetItems)
          .flatMap(({ activeImage }) => (activeImage && isDrawn(activeImage.uid) ? activeImage.uid : [])),
      ),
  );
  useEffect(
    () => stage.on('view.drawn', ({ id }) => setDrawn((before) => (before.has(id) ? before : new Set(before).add(id)))),
    [stage],
  );
  return drawn;
};
