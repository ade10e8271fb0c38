import type { Kysely } from 'kysely';
import { plainDisplay } from '../../../contract/displays.ts';
import { imageSeriesItems } from '../../../dicom/display-objects/common-elements.ts';
import {
  type DisplayBox,
  type DisplayRectangle,
  type DisplayText,
  structuredDisplayClass,
} from '../../../dicom/display-objects/model.ts';
import { writeDisplay } from '../../../dicom/display-objects/write-display.ts';
import type { Schema } from '../../db/schema.ts';
import { displaysOfViewset } from '../../db/stores/displays.ts';
import type { MountToExport } from '../../db/stores/mounts-to-export.ts';
import { slotOfItem } from '../../db/stores/viewset-slots.ts';
import { itemsOfViewset, type ViewsetItemRow } from '../../db/stores/viewsets.ts';
import type { OwnMount } from '../../domain/display-objects/own-content.ts';
import { addState, type DisplayWork, type SentDisplay } from './state-object.ts';

interface Mount {
  readonly row: MountToExport;
  readonly items: readonly ViewsetItemRow[];
  readonly displays: Awaited<ReturnType<typeof displaysOfViewset>>;
}

/** Height of a label as a part of its slot. */
const labelHeight = 0.08;

const placeOf = ({ row }: Mount, item: ViewsetItemRow): DisplayRectangle => {
  const part = (value: number, of: number) => Math.min(1, Math.max(0, value / of));
  return {
    left: part(item.x_pos, row.width),
    top: part(item.y_pos, row.height),
    right: part(item.x_pos + item.width, row.width),
    bottom: part(item.y_pos + item.height, row.height),
  };
};

/** The label of a slot: its description, else its teeth (ISO 3950). */
const textsOf = (mount: Mount): DisplayText[] =>
  mount.items.flatMap((item): DisplayText[] => {
    const text = item.description ?? item.teeth.join(' ');
    const place = placeOf(mount, item);
    return text ? [{ text, place: { ...place, top: place.bottom - (place.bottom - place.top) * labelHeight } }] : [];
  });

/** The image of a slot that is on the medium; one of another patient fills no slot. */
const sentOf = ({ sent }: DisplayWork, { row }: Mount, item: ViewsetItemRow): SentDisplay | null => {
  const found = item.image_id === null ? undefined : sent.get(item.image_id);
  return found?.row.patient_id === row.patient_id ? found : null;
};

const boxOf = (work: DisplayWork, mount: Mount, item: ViewsetItemRow): DisplayBox => {
  const place = placeOf(mount, item);
  const found = sentOf(work, mount, item);
  if (!found) return { place, image: null };
  const stored = mount.displays.get(found.row.id)?.display ?? null;
  const slot = { rotation: item.rotation, horizontalFlip: item.horizontal_flip };
  const state = addState(work, found, { stored, shown: stored ?? { ...plainDisplay, ...slot } }, mount.row.name);
  return { place, image: { reference: found.image.reference, state } };
};

const ownMountOf = ({ row, items }: Mount): OwnMount => ({
  kind: 'mount',
  viewSetUuid: row.id,
  templateUuid: row.template_id,
  name: row.name,
  comments: row.comments,
  width: row.width,
  height: row.height,
  slots: items.map(slotOfItem),
});

/** Writes a mount and the states of its images. Returns the ids of these images. */
export const addMount = async (db: Kysely<Schema>, work: DisplayWork, row: MountToExport): Promise<string[]> => {
  const items = await itemsOfViewset(db, row.id);
  const mount: Mount = { row, items, displays: await displaysOfViewset(db, row.id) };
  const found = items.flatMap((item) => sentOf(work, mount, item) ?? []);
  const owner = (found.find(({ image }) => image.keys.study.uid === row.study_uid) ?? found[0])?.image.keys;
  if (!owner) return [];
  const boxes = items.map((item) => boxOf(work, mount, item));
  const { file } = work.list.add({
    owner,
    sopClassUid: structuredDisplayClass,
    description: row.name,
    write: (object) => writeDisplay({ owner, object, size: row, boxes, texts: textsOf(mount), own: ownMountOf(mount) }),
    references: imageSeriesItems(found.map(({ image }) => image.reference)),
  });
  const away = items.filter((item) => item.image_id !== null && !sentOf(work, mount, item));
  work.notExpressed.push(...away.map((item) => ({ file, slot: item.capture_order, part: 'not-included' as const })));
  if (row.note && row.note.state !== 'removed') work.notExpressed.push({ file, slot: null, part: 'note' });
  return found.map((one) => one.row.id);
};
