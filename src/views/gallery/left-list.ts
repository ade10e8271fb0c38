import { useQueryClient } from '@tanstack/react-query';
import type { ChosenImages } from './image-selection.ts';

/** How a list was left for one of its images. */
export interface LeftList {
  readonly list: string;
  /** Of the image in the list. */
  readonly index: number;
  readonly chosen: ChosenImages;
}

const queryKey = ['left-gallery'];

/** Where a list was left, so that the way back leads there. Kept with the answers of the archive, which go when somebody signs out. */
export const useLeftList = () => {
  const client = useQueryClient();
  return {
    leave: (left: LeftList) => {
      client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData<LeftList>(queryKey, left);
    },
    /** How this list was left; null when it was not, or another was left since. */
    leftAt: (list: string): LeftList | null => {
      const left = client.getQueryData<LeftList>(queryKey);
      return left?.list === list ? left : null;
    },
    forget: () => client.removeQueries({ queryKey }),
  };
};
