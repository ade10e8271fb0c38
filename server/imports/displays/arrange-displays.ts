import type { Kysely } from 'kysely';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { Schema } from '../../db/schema.ts';
import { displayObjectsOfPatient, imagesBySopInstance } from '../../db/stores/arriving-displays.ts';
import type { ViewsetVersion } from '../../domain/record-events.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { applyOwnStates } from './apply-marks.ts';
import { type Arrival, arrangeMount } from './arrange-mount.ts';
import { planSlots, type SlotSources } from './plan-slots.ts';
import { type ArrivedDisplay, readDisplayObjects } from './read-display-objects.ts';

const arrangeOne = async (
  db: Kysely<Schema>,
  sources: SlotSources,
  display: ArrivedDisplay,
  arrival: Arrival,
): Promise<ViewsetVersion | null> => {
  try {
    const plans = await planSlots(sources, display.mount);
    return await db.transaction().execute((transaction) => arrangeMount(transaction, display, plans, arrival));
  } catch (error) {
    // A damaged state stays stored, and its mount is made when it is repaired.
    if (error instanceof DicomProblem) return null;
    throw error;
  }
};

/**
 * Makes and completes the mounts of a patient that arrived as structured displays, and gives images the marks of states that this program has
 * written. It starts from what is stored, so the order of arrival does not matter, and it can be repeated. Returns the mounts
 * that were made or whose placement has changed.
 */
export const arrangeDisplays = async (
  { db, files }: { readonly db: Kysely<Schema>; readonly files: FileStore },
  arrival: Arrival,
): Promise<readonly ViewsetVersion[]> => {
  const rows = await displayObjectsOfPatient(db, arrival);
  if (rows.length === 0) return [];
  const { displays, states } = await readDisplayObjects(files, rows);
  const references = displays.flatMap(({ mount }) => mount.references.flatMap((one) => one ?? []));
  const names = [
    ...references.map(({ sopInstanceUid }) => sopInstanceUid),
    ...[...states.values()].flatMap((state) => state.images),
  ];
  const found = await imagesBySopInstance(db, arrival, [...new Set(names)]);
  const images = new Map(found.map((row) => [row.sop_instance_uid, row]));
  const sources: SlotSources = { files, images, states };
  const viewsets: ViewsetVersion[] = [];
  for (const display of displays) {
    const changed = await arrangeOne(db, sources, display, arrival);
    if (changed) viewsets.push(changed);
  }
  const ofMounts = new Set(references.flatMap(({ stateUid }) => stateUid ?? []));
  await applyOwnStates(db, sources, ofMounts, arrival);
  return viewsets;
};
