import { useEffect, useState } from 'react';
import type { Histogram, Images, LoadedImage } from '../../viewer/index.ts';

const bins = 128;

/** The histogram of an image, counted in a worker; null until it is there. A better level of the same image keeps the old one meanwhile. */
export const useHistogram = (images: Images | null, image: LoadedImage | null): Histogram | null => {
  const [counted, setCounted] = useState<{ readonly key: string; readonly histogram: Histogram } | null>(null);
  useEffect(() => {
    if (!images || !image) return;
    let left = false;
    images.histogram(image, bins).then(
      (histogram) => {
        if (!left) setCounted({ key: image.key, histogram });
      },
      // Without a histogram the handles still do their work.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [images, image]);
  return image && counted?.key === image.key ? counted.histogram : null;
};
