import { buffer } from 'node:stream/consumers';
import type { PresentationState } from '../../contract/presentation-states.ts';
import type { DataSet } from '../../dicom/data-set.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { readPresentationState, type StateImage } from '../../dicom/presentation-state/read-state.ts';
import { referencedImages } from '../../dicom/presentation-state/references.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { tags } from '../../dicom/tags.ts';
import { isSrgb } from '../dicom/imaging.ts';
import { pseudoColourStateClass } from '../domain/image-classes.ts';
import type { FileErrors } from '../integrity/file-errors.ts';
import { inParallel } from '../jobs/in-parallel.ts';
import type { FileStore } from '../storage/file-store.ts';
import { isFileError } from './derive-failure.ts';

interface StoredState {
  readonly id: string;
  readonly sha256: string;
  readonly size_bytes: number;
  readonly sop_class_uid: string | null;
}

interface ReadStates {
  readonly states: PresentationState[];
  /** Number of files that are damaged, missing or no readable state. */
  readonly unreadable: number;
  /** Number of those that refer to the image and cannot be shown. */
  readonly unsupported: number;
}

export interface PresentationStateReader {
  /** Returns what stored states say of an image, without those that do not refer to it, newest first. @throws StorageError */
  readonly read: (stored: readonly StoredState[], image: StateImage) => Promise<ReadStates>;
}

/** A state with the bitmap of a large image is far smaller. */
const maxBytes = 2 ** 25;
const parallelFiles = 4;
/** Files whose references are remembered, to be read again only for the images they name. */
const maxKnown = 10_000;

/** Compares creation times; those without one are the oldest. */
const compare = (one: string | null, other: string | null): number => {
  const [first, second] = [one ?? '', other ?? ''];
  return first === second ? 0 : first < second ? -1 : 1;
};

/** Creates a reader of stored presentation states. It remembers by content hash which images a file refers to. */
export const createPresentationStateReader = ({
  files,
  fileErrors,
}: {
  readonly files: FileStore;
  readonly fileErrors: FileErrors;
}): PresentationStateReader => {
  const known = new Map<string, ReadonlySet<string>>();

  const remember = (sha256: string, images: ReadonlySet<string>) => {
    const [oldest] = known.keys();
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest);
    known.set(sha256, images);
  };

  const dataSetOf = async ({ sha256, size_bytes }: StoredState): Promise<DataSet> => {
    if (size_bytes > maxBytes) throw new DicomProblem('too-large', `a presentation state of ${size_bytes} bytes`);
    const bytes = await fileErrors.watch(sha256, async () => buffer(await files.openVerified(sha256)));
    return readDicomFile(bytes).dataSet;
  };

  /** Colours are converted by the profile of the image alone. */
  const withProfile = async (state: Omit<PresentationState, 'id'>, dataSet: DataSet) => {
    const profile = dataSet.bytes(tags.iccProfile);
    const isConverted = profile !== null && state.grey === null && !(await isSrgb(profile));
    return isConverted ? { ...state, notShown: [...state.notShown, 'colour-profile' as const] } : state;
  };

  const readOne = async (stored: StoredState, image: StateImage): Promise<PresentationState | 'unsupported' | null> => {
    if (known.get(stored.sha256)?.has(image.sopInstanceUid) === false) return null;
    const dataSet = await dataSetOf(stored);
    const images = new Set(referencedImages(dataSet).keys());
    remember(stored.sha256, images);
    if (stored.sop_class_uid === pseudoColourStateClass) return images.has(image.sopInstanceUid) ? 'unsupported' : null;
    const state = readPresentationState(dataSet, image);
    return state && { id: stored.id, ...(await withProfile(state, dataSet)) };
  };

  return {
    read: async (stored, image) => {
      const states = new Map<string, PresentationState>();
      let [unreadable, unsupported] = [0, 0];
      await inParallel(stored, parallelFiles, async (one) => {
        try {
          const state = await readOne(one, image);
          if (state === 'unsupported') unsupported += 1;
          else if (state) states.set(one.id, state);
        } catch (error) {
          if (!(error instanceof DicomProblem) && !isFileError(error)) throw error;
          unreadable += 1;
        }
      });
      const found = stored.flatMap(({ id }) => states.get(id) ?? []);
      const newestFirst = found.toSorted((one, other) => compare(other.createdAt, one.createdAt));
      return { states: newestFirst, unreadable, unsupported };
    },
  };
};
