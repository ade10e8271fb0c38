import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import type { ImageInfo } from '../../../../contract/images.ts';
import type { PresentationState } from '../../../../contract/presentation-states.ts';
import { selectMay } from '../../../machines/session/session.machine.ts';
import { useAppQueries } from '../../app/queries-context.tsx';
import { useWorkspace } from '../workspace-context.ts';

/** The presentation states of the active image. */
export interface ImageStates {
  readonly imageUid: string;
  /** Newest first; null while they load, and after a failure. */
  readonly states: readonly PresentationState[] | null;
  /** Number of states of the patient that cannot be read. */
  readonly unreadable: number;
  /** Number of states of the image that are of a kind that cannot be shown. */
  readonly unsupported: number;
  readonly isFailed: boolean;
}

/** Returns the presentation states of an image; null for documents, and for users who may not open images. */
export const useImageStates = (image: ImageInfo | null): ImageStates | null => {
  const { patientId, session } = useWorkspace();
  const queries = useAppQueries();
  const mayNotOpen = useSelector(session, selectMay('disable.open'));
  const imageUid = image?.uid ?? '';
  const hasStates = image?.kind === 'image' && !mayNotOpen;
  const query = useQuery({ ...queries.presentationStates(patientId, imageUid), enabled: hasStates });
  if (!hasStates) return null;
  const { data } = query;
  return {
    imageUid,
    states: data?.states ?? null,
    unreadable: data?.unreadable ?? 0,
    unsupported: data?.unsupported ?? 0,
    isFailed: query.isError,
  };
};
