import type { NotTakenPart } from '../../../contract/display-objects.ts';
import type { Display } from '../../../contract/displays.ts';
import { describeImage } from '../../../dicom/image-description.ts';
import type { ImageDescription } from '../../../dicom/image-model.ts';
import { readPresentationState } from '../../../dicom/presentation-state/read-state.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { ReferencedImageRow } from '../../db/stores/arriving-displays.ts';
import { displayOfState } from '../../domain/display-objects/display-of-state.ts';
import type { ArrivingMount } from '../../domain/display-objects/slots-of-display.ts';
import { type FileStore, StorageError } from '../../storage/file-store.ts';
import { readStoredHeader } from '../../storage/stored-header.ts';
import type { ArrivedState } from './read-display-objects.ts';

/** What a slot of an arriving mount gets. */
export interface SlotPlan {
  readonly itemIndex: number;
  readonly sopInstanceUid: string;
  /** Null: it has not arrived. */
  readonly imageId: string | null;
  /** Undefined: its state says nothing, or has not arrived. Null: the default of the file. */
  readonly display?: Display | null | undefined;
  readonly notTaken: readonly NotTakenPart[];
}

export interface SlotSources {
  readonly files: FileStore;
  readonly images: ReadonlyMap<string, ReferencedImageRow>;
  readonly states: ReadonlyMap<string, ArrivedState>;
}

const descriptionOf = async (files: FileStore, image: ReferencedImageRow): Promise<ImageDescription | null> => {
  try {
    return describeImage(await readStoredHeader(files, image.sha256, image.size_bytes));
  } catch (error) {
    if (error instanceof DicomProblem || error instanceof StorageError) return null;
    throw error;
  }
};

/** How the state of another program displays an image. */
const foreignDisplay = async (files: FileStore, image: ReferencedImageRow, { dataSet }: ArrivedState) => {
  const { columns, rows, sop_instance_uid: sopInstanceUid } = image;
  const state = readPresentationState(dataSet, { columns, rows, sopInstanceUid });
  const description = state && (await descriptionOf(files, image));
  return state && description ? displayOfState(state, description) : { notTaken: ['grey-values' as const] };
};

const displayOf = async (
  files: FileStore,
  image: ReferencedImageRow,
  state: ArrivedState,
): Promise<Pick<SlotPlan, 'display' | 'notTaken'>> => {
  if (!state.images.includes(image.sop_instance_uid)) return { notTaken: [] };
  return state.own ? { display: state.own.display, notTaken: [] } : foreignDisplay(files, image, state);
};

/** Returns what each slot gets whose box has an image, from what has arrived so far. @throws DicomProblem of a damaged state */
export const planSlots = async (
  { files, images, states }: SlotSources,
  { slots, references }: ArrivingMount,
): Promise<SlotPlan[]> => {
  const plans: SlotPlan[] = [];
  for (const [index, { itemIndex }] of slots.entries()) {
    const reference = references[index];
    if (!reference) continue;
    const { sopInstanceUid, stateUid } = reference;
    const image = images.get(sopInstanceUid);
    const state = stateUid === null ? undefined : states.get(stateUid);
    const shown = image && state ? await displayOf(files, image, state) : { notTaken: [] };
    plans.push({ itemIndex, sopInstanceUid, imageId: image?.id ?? null, ...shown });
  }
  return plans;
};
