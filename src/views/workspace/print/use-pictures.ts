import { useCallback, useEffect, useRef, useState } from 'react';
import type { PrintedPicture } from '../../../../contract/print.ts';
import {
  createPictureRenderer,
  type Images,
  type PictureOptions,
  type PictureRenderer,
} from '../../../viewer/index.ts';
import { printedPictureOf, type ShownPictures, type Subject, sceneAlone } from './print-subject.ts';

/** Returns a function that creates a renderer at its first call; it is disposed with the component. */
export const usePictureRenderer = (images: Images): (() => Promise<PictureRenderer>) => {
  const opened = useRef<Promise<PictureRenderer> | null>(null);
  useEffect(
    () => () => {
      opened.current?.then(
        ({ dispose }) => dispose(),
        () => undefined,
      );
      opened.current = null;
    },
    [images],
  );
  return useCallback(() => {
    opened.current ??= createPictureRenderer(images);
    return opened.current;
  }, [images]);
};

/** Loads what a print declares of the images of a subject: null while loading, 'failed' when one cannot be loaded. */
export const usePrintedPictures = (
  { images }: ShownPictures,
  subject: Subject,
): readonly PrintedPicture[] | 'failed' | null => {
  const [found, setFound] = useState<{
    readonly subject: Subject;
    readonly pictures: readonly PrintedPicture[] | 'failed';
  } | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const loads = subject.images.map(async (image) =>
      printedPictureOf(
        image,
        await images.load(image.drawn.source, image.drawn.frame, { level: 'reduced', signal }),
        subject.kind === 'mount',
      ),
    );
    Promise.all(loads).then(
      (pictures) => !signal.aborted && setFound({ subject, pictures }),
      () => !signal.aborted && setFound({ subject, pictures: 'failed' }),
    );
    return () => leaving.abort();
  }, [images, subject]);
  return found?.subject === subject ? found.pictures : null;
};

/** Longest side of the picture of a preview, in pixels. */
const previewSide = 480;

/** Draws small pictures of the images of a subject; object URLs by image, empty while they are drawn, null when one failed. */
export const usePreviewPictures = (
  { scene }: ShownPictures,
  subject: Subject,
  rendererOf: () => Promise<PictureRenderer>,
  marks: Pick<PictureOptions, 'words' | 'locale'>,
): ReadonlyMap<string, string> | null => {
  const { words, locale } = marks;
  const [urls, setUrls] = useState<ReadonlyMap<string, string> | null>(new Map());
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const drawn = new Map<string, string>();
    const draw = async () => {
      const renderer = await rendererOf();
      for (const image of subject.images) {
        signal.throwIfAborted();
        const options = { longestSide: previewSide, shownSide: previewSide, signal };
        const shown = { ...(words && { words }), ...(locale !== undefined && { locale }) };
        const picture = await renderer.render(sceneAlone(scene, image.drawn), { ...options, ...shown });
        const content = await picture.toBlob('image/png');
        signal.throwIfAborted();
        drawn.set(image.drawn.id, URL.createObjectURL(content));
        setUrls(new Map(drawn));
      }
    };
    setUrls(new Map());
    draw().catch(() => !signal.aborted && setUrls(null));
    return () => {
      leaving.abort();
      for (const url of drawn.values()) URL.revokeObjectURL(url);
    };
  }, [scene, subject, rendererOf, words, locale]);
  return urls;
};
