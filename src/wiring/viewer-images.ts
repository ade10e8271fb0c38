import type { LoadBytes } from '../services/images.ts';
import { memoizeAsync } from '../services/memoize-async.ts';
import type { Images } from '../viewer/index.ts';

/** Images of the viewer, whose code is loaded at the first call. */
export const createViewerImages = (loadBytes: LoadBytes) => {
  let images: Images | null = null;
  return {
    open: memoizeAsync(async () => {
      const { createImages } = await import('../viewer/index.ts');
      images = createImages({ loadBytes });
      return images;
    }),
    forgetAll: () => images?.forgetAll(),
  };
};
