import { useEffect, useState } from 'react';
import type { Histogram, Images, LoadedImage } from '../../viewer/index.ts';

/** Bins, at most. */
const most = 128;

/** Where values are whole numbers every bin holds nearly as many of them as the next: else some would stand out like the teeth of a comb. */
export const binsFor = ({ range, description, modality }: LoadedImage): number => {
  const whole = description.sampleKind === 'integer' && modality.kind === 'rescale' && Number.isInteger(modality.slope);
  const span = Math.abs(range.high - range.low);
  if (!whole || span < 1) return most;
  return Math.max(1, Math.round(span / Math.ceil(span / most)));
};

/** The histogram of an image, counted in a worker; null until it is there. A better level of the same image keeps the old one meanwhile. */
export const useHistogram = (images: Images | null, image: LoadedImage | null): Histogram | null => {
  const [counted, setCounted] = useState<{ readonly key: string; readonly histogram: Histogram } | null>(null);
  useEffect(() => {
    if (!images || !image) return;
    let left = false;
    images.histogram(image, binsFor(image)).then(
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
