import { useEffect, useState } from 'react';
import type { SceneImage, Size } from '../../../viewer/index.ts';
import { type ShownPictures, sceneAlone } from '../print/print-subject.ts';
import { usePictureRenderer } from '../print/use-pictures.ts';
import type { Side } from './blink-points.ts';

/** A picture of a whole image as displayed, with its own pixels. */
export interface BlinkPicture extends Size {
  /** An object URL. */
  readonly url: string;
}

export type BlinkPictures = Readonly<Record<Side, BlinkPicture>>;

/** Draws two images without marks: null while they are drawn, 'failed' when one cannot be. */
export const useBlinkPictures = (
  { scene, images }: ShownPictures,
  left: SceneImage,
  right: SceneImage,
): BlinkPictures | 'failed' | null => {
  const rendererOf = usePictureRenderer(images);
  const [pictures, setPictures] = useState<BlinkPictures | 'failed' | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const urls: string[] = [];
    const draw = async (image: SceneImage): Promise<BlinkPicture> => {
      const renderer = await rendererOf();
      const { width, height, toBlob } = await renderer.render(sceneAlone(scene, image), { signal });
      const content = await toBlob('image/png');
      signal.throwIfAborted();
      const url = URL.createObjectURL(content);
      urls.push(url);
      return { url, width, height };
    };
    const drawBoth = async () => {
      // One after the other: they share the canvas of the renderer.
      const first = await draw(left);
      setPictures({ left: first, right: await draw(right) });
    };
    setPictures(null);
    drawBoth().catch(() => !signal.aborted && setPictures('failed'));
    return () => {
      leaving.abort();
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, [scene, left, right, rendererOf]);
  return pictures;
};
