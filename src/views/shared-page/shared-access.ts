import type { SharedContent } from '../../../contract/shared-links.ts';
import type { DownloadProgress } from '../../services/queries.ts';
import type { Images } from '../../viewer/index.ts';
import type { SharedLinkAddress } from './link-of.ts';

/** The calls of the page. */
export interface SharedAccess {
  readonly open: (link: SharedLinkAddress, code: string) => Promise<SharedContent>;
  readonly leave: () => void;
  readonly openImages: () => Promise<Images>;
  readonly thumbnail: (imageUid: string, signal: AbortSignal) => Promise<Blob>;
  readonly download: (
    onDownloaded: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ) => Promise<{ readonly content: Blob; readonly leftOut: number }>;
}

/** Returns whether a failed call says that the link, or the visit, has ended. */
export const isLinkInvalid = (failure: { readonly kind: string; readonly code?: string | null }): boolean =>
  failure.kind === 'refused' && failure.code === 'shared-link-invalid';
