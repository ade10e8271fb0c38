import type { Kysely } from 'kysely';
import { maxMarks } from '../../../contract/displays.ts';
import type { Schema } from '../../db/schema.ts';
import { insertAccesses } from '../../db/stores/access-log.ts';
import type { ReferencedImageRow } from '../../db/stores/arriving-displays.ts';
import { saveDisplay, saveMarks } from '../../db/stores/displays.ts';
import type { OwnState } from '../../domain/display-objects/own-content.ts';
import type { Arrival } from './arrange-mount.ts';
import type { SlotSources } from './plan-slots.ts';

const hasMarks = ({ marks, annotations, calibration }: OwnState): boolean =>
  marks.length + annotations.length > 0 || calibration !== null;

/** Whether the marks could have been saved for the image by a user. */
const areSound = ({ marks, annotations }: OwnState, { frames }: ReferencedImageRow): boolean => {
  const all = [...marks, ...annotations];
  const isInFrames = all.every((mark) => !('frame' in mark) || Number(mark.frame) <= frames);
  return isInFrames && all.length <= maxMarks && new Set(all.map(({ id }) => id)).size === all.length;
};

const applyState = async (
  db: Kysely<Schema>,
  image: ReferencedImageRow,
  own: OwnState,
  isOfMount: boolean,
  { accountId, customerId, patientId }: Arrival,
): Promise<void> => {
  const display = isOfMount ? null : own.display;
  const hasNewMarks = image.marks_version === 0 && hasMarks(own) && areSound(own, image);
  if (!hasNewMarks && !display) return;
  await db.transaction().execute(async (transaction) => {
    if (display) await saveDisplay(transaction, { imageId: image.id, viewsetId: null, display, accountId: null }, 0);
    const { marks, annotations, calibration } = own;
    const written = { marks, annotations, calibration, authors: [] };
    const version = hasNewMarks ? await saveMarks(transaction, image.id, written, 0) : null;
    if (version === null) return;
    const entry = { at: new Date(), accountId, customerId, patientId, objectId: image.id };
    await insertAccesses(transaction, [{ ...entry, action: 'image.measured' }]);
  });
};

/**
 * Gives images the marks and settings that states of this program have, the newest state first, where they have none. What a user has
 * drawn or removed stays.
 */
export const applyOwnStates = async (
  db: Kysely<Schema>,
  { images, states }: SlotSources,
  ofMounts: ReadonlySet<string>,
  arrival: Arrival,
): Promise<void> => {
  const newestFirst = [...states].toSorted(([, one], [, other]) => (one.createdAt < other.createdAt ? 1 : -1));
  const marked = new Set<string>();
  for (const [uid, { own, images: names }] of newestFirst) {
    const image = images.get(names[0] ?? '');
    if (!own || !image) continue;
    const row = marked.has(image.id) ? { ...image, marks_version: 1 } : image;
    if (hasMarks(own)) marked.add(image.id);
    await applyState(db, row, own, ofMounts.has(uid), arrival);
  }
};
