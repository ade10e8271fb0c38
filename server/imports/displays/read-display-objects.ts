import { buffer } from 'node:stream/consumers';
import type { DataSet } from '../../../dicom/data-set.ts';
import { structuredDisplayClass } from '../../../dicom/display-objects/model.ts';
import { readPrivateContent } from '../../../dicom/display-objects/private-content.ts';
import { readDisplay } from '../../../dicom/display-objects/read-display.ts';
import { readDicomFile } from '../../../dicom/file.ts';
import { referencedImages } from '../../../dicom/presentation-state/references.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { tags } from '../../../dicom/tags.ts';
import type { DisplayObjectRow } from '../../db/stores/arriving-displays.ts';
import { type OwnState, ownState } from '../../domain/display-objects/own-content.ts';
import { type ArrivingMount, arrivingMount } from '../../domain/display-objects/slots-of-display.ts';
import { inParallel } from '../../jobs/in-parallel.ts';
import { type FileStore, StorageError } from '../../storage/file-store.ts';

/** A presentation state that is in the archive. */
export interface ArrivedState {
  readonly dataSet: DataSet;
  /** What this program said to itself; null in states of others. */
  readonly own: OwnState | null;
  /** SOP Instance UIDs */
  readonly images: readonly string[];
  /** Creation date and time as written. */
  readonly createdAt: string;
}

export interface ArrivedDisplay {
  readonly row: DisplayObjectRow;
  readonly mount: ArrivingMount;
}

export interface DisplayObjects {
  readonly displays: readonly ArrivedDisplay[];
  /** By SOP Instance UID. */
  readonly states: ReadonlyMap<string, ArrivedState>;
}

/** A state with the bitmap of a large image is far smaller. */
const maxBytes = 2 ** 24;
const parallelFiles = 4;

/** Reads a file; null when it is damaged, missing or not readable: it stays stored, and is tried again with the next import. */
const dataSetOf = async (files: FileStore, { sha256, size_bytes }: DisplayObjectRow): Promise<DataSet | null> => {
  if (size_bytes > maxBytes) return null;
  return readDicomFile(await buffer(await files.openVerified(sha256))).dataSet;
};

const stateOf = (dataSet: DataSet): ArrivedState => ({
  dataSet,
  own: ownState.safeParse(readPrivateContent(dataSet)).data ?? null,
  images: [...referencedImages(dataSet).keys()],
  createdAt: `${dataSet.code(tags.presentationCreationDate) ?? ''}${dataSet.code(tags.presentationCreationTime) ?? ''}`,
});

/** Reads structured displays and presentation states of a patient. Those that cannot be read are left out. */
export const readDisplayObjects = async (
  files: FileStore,
  rows: readonly DisplayObjectRow[],
): Promise<DisplayObjects> => {
  const displays = new Map<string, ArrivedDisplay>();
  const states = new Map<string, ArrivedState>();
  await inParallel(rows, parallelFiles, async (row) => {
    try {
      const dataSet = await dataSetOf(files, row);
      if (!dataSet) return;
      if (row.sop_class_uid !== structuredDisplayClass) states.set(row.sop_instance_uid, stateOf(dataSet));
      else displays.set(row.id, { row, mount: arrivingMount(readDisplay(dataSet)) });
    } catch (error) {
      if (!(error instanceof DicomProblem || error instanceof StorageError)) throw error;
    }
  });
  return { displays: rows.flatMap(({ id }) => displays.get(id) ?? []), states };
};
