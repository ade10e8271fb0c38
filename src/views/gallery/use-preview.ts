import { useQuery } from '@tanstack/react-query';
import type { DownloadContent, DownloadScope } from '../../../contract/gallery.ts';
import { useGallery } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';

/** Number and size of the files of a download. */
export interface KnownFiles {
  readonly files: number;
  readonly sizeBytes: number;
}

/** Counts the files of a download, and for an anonymised copy the images that may have text in them; `failure`: why it could not. */
export const usePreview = (scope: DownloadScope & { readonly content?: DownloadContent }, enabled: boolean) => {
  const failureText = useFailureText();
  const { data, error } = useQuery({ ...useGallery().preview(scope), enabled, staleTime: 0 });
  return { data, failure: error ? failureText(failureOfQuery(error)) : null };
};
