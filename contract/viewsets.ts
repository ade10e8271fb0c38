import { z } from 'zod';
import { bounds, recordVersion, uuid } from './bounds.ts';
import { mountArrival } from './display-objects.ts';
import { display } from './displays.ts';
import { imageInfo } from './images.ts';
import { noteSummary } from './notes.ts';
import { idReply, route, signedIn, unless } from './route.ts';
import { tooth } from './teeth.ts';

/** A slot of a mount. Positions and sizes are in the units of the mount (its `width` and `height`), origin top left. */
export const slot = z.object({
  itemIndex: z.number().int(),
  /** Capture order, from 1. */
  order: z.number().int(),
  xPos: z.number(),
  yPos: z.number(),
  width: z.number(),
  height: z.number(),
  /** Rotation of the slot for an image from the sensor, degrees clockwise. In a viewset: the current rotation of its image. */
  rotation: z.number().min(0).lt(360),
  horizontalFlip: z.boolean(),
  teeth: z.array(tooth),
  description: z.string().nullable(),
});
export type Slot = z.infer<typeof slot>;

export const viewsetItem = slot.extend({
  activeImage: imageInfo.nullable(),
  /** The saved display of its image in this viewset; null: the default of the file, rotated by the slot. */
  display: display.nullable(),
  displayVersion: z.number().int(),
});
export type ViewsetItem = z.infer<typeof viewsetItem>;

/** A filled slot by the UID of its image. */
export const mountedSlot = viewsetItem.omit({ activeImage: true }).extend({ imageUid: uuid });
export type MountedSlot = z.infer<typeof mountedSlot>;

/** The teeth of a filled slot: those set by a user on the image, else those of the slot, else those of the file. */
export const teethShown = ({ teeth, activeImage }: Pick<ViewsetItem, 'teeth' | 'activeImage'>): readonly number[] => {
  if (!activeImage) return teeth;
  if (activeImage.teethSource === 'user') return activeImage.teeth;
  return teeth.length > 0 ? teeth : activeImage.teeth;
};

export const viewset = z.object({
  viewSetUuid: uuid,
  name: z.string(),
  comments: z.string().nullable(),
  templateUUID: uuid.nullable(),
  width: z.number(),
  height: z.number(),
  patientId: uuid,
  studyUid: z.string(),
  /** Null: there was never a note. An older server, which may still reply during an upgrade, does not know notes. */
  note: noteSummary.nullable().default(null),
  /** Incremented by every change of the mounted images. */
  version: z.number().int(),
  viewSetItems: z.array(viewsetItem),
  /** Null: made here. Not named by an older server. */
  arrival: mountArrival.nullable().default(null),
  /** The tray, in order: images unmounted here, and images of the study that are not mounted. */
  detachedImages: z.array(imageInfo),
});
export type Viewset = z.infer<typeof viewset>;

export const viewsetGet = route({
  method: 'GET',
  path: '/resource/viewset/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: viewset,
});

const version = recordVersion;
/** The version on which a change is based; fails with `conflict` when it is not the stored one. */
const basedOn = version.optional();
const itemIndex = z.int32().min(0);

/** Name and comments of a viewset. */
export const viewsetUpdate = route({
  method: 'PUT',
  path: '/resource/viewset/update',
  access: signedIn,
  body: z.strictObject({
    viewSetUuid: uuid,
    version,
    name: z.string().trim().min(1).max(200),
    comments: z.string().trim().max(bounds.description[1]).nullable(),
  }),
  reply: viewset,
});

/** Moves a viewset to the recycle bin; its images stay in their study. */
export const viewsetDelete = route({
  method: 'DELETE',
  path: '/resource/viewset/delete/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.delete_view_set'),
  reply: idReply,
});

export const viewsetRestore = route({
  method: 'PUT',
  path: '/resource/viewset/restore/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.delete_view_set'),
  reply: idReply,
});

/**
 * Mounts an image of the same patient in a slot. When the slot is filled, its image goes to the tray, or the two images are swapped
 * if the new one is already mounted in this viewset.
 */
export const viewsetMount = route({
  method: 'POST',
  path: '/resource/viewset/image/mount',
  access: signedIn,
  body: z.strictObject({
    viewsetUid: uuid,
    itemIndex,
    imageUid: uuid,
    seriesUid: z.string().optional(),
    version: basedOn,
  }),
  reply: viewset,
});

/** Takes an image out of its slot: to the end of the tray. */
export const viewsetUnmount = route({
  method: 'POST',
  path: '/resource/viewset/image/unmount',
  access: unless('disable.detach_image'),
  body: z.strictObject({ viewsetUid: uuid, itemIndex, imageUid: uuid, version: basedOn }),
  reply: viewset,
});

/** Moves an image to a slot of the same or another viewset of the patient; a filled slot swaps. The reply holds the viewsets that changed. */
export const viewsetMove = route({
  method: 'POST',
  path: '/resource/viewset/image/move',
  access: signedIn,
  body: z.strictObject({
    viewsetUidFrom: uuid,
    viewsetUidTo: uuid,
    itemIndexFrom: itemIndex,
    itemIndexTo: itemIndex,
    imageUid: uuid,
    seriesUidTo: z.string().optional(),
    version: basedOn,
    versionTo: basedOn,
  }),
  reply: z.array(viewset),
});

export const template = z.object({
  uuid,
  name: z.string(),
  width: z.number(),
  height: z.number(),
  isFavorite: z.boolean(),
  modality: z.string(),
  viewSetItems: z.array(slot),
});
export type Template = z.infer<typeof template>;

/** The default template of a viewset: one slot for one image. */
export const defaultTemplateId = '00000000-0000-4000-8000-000000000001';

/** A slot of a generated template: only its position; order and index follow from the list. */
const newSlot = z.strictObject({
  xPos: z.number().min(0).max(100_000),
  yPos: z.number().min(0).max(100_000),
  width: z.number().positive().max(100_000),
  height: z.number().positive().max(100_000),
  /** Whole degrees. */
  rotation: z.number().int().min(0).lt(360).default(0),
  teeth: z.array(tooth).max(52).default([]),
});
export const newSlots = z.array(newSlot).min(1).max(100);

/** Width and height of a template from the extent of its slots. */
export const extentOf = (slots: readonly { xPos: number; yPos: number; width: number; height: number }[]) => ({
  width: Math.max(...slots.map((one) => one.xPos + one.width)),
  height: Math.max(...slots.map((one) => one.yPos + one.height)),
});

/**
 * Creates a viewset: a copy of a template, of another viewset's slots (`currentViewsetUID`), or of the given slots. In the study, or in a new one when
 * `currentStudyUID` (a Study Instance UID) is null. `placeImages` mounts the images of the study that are in no viewset and neither
 * damaged nor graded as not acceptable, as an import does.
 */
export const viewsetCreate = route({
  method: 'POST',
  path: '/resource/viewset/',
  access: unless('disable.new_series'),
  body: z.strictObject({
    patientUID: uuid,
    currentStudyUID: z.string().max(64).nullable(),
    currentViewsetUID: uuid.nullable(),
    templateUUID: uuid.nullable().optional(),
    viewSetItems: newSlots.optional(),
    name: z.string().trim().min(1).max(200).optional(),
    placeImages: z.boolean().optional(),
  }),
  reply: viewset,
});

/**
 * Templates of all clinics, and those of one clinic: the user's own, or the one given by a super administrator.
 * Favourites first, then by name.
 */
export const templates = route({
  method: 'GET',
  path: '/resource/ViewSetTemplate/',
  query: z.object({ customerId: uuid.optional() }),
  access: signedIn,
  reply: z.array(template),
});

export const templateGet = route({
  method: 'GET',
  path: '/resource/ViewSetTemplate/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: template,
});

/** A generated template: modality IO, width and height from the extent of its slots. It belongs to the clinic. */
export const templateCreate = route({
  method: 'POST',
  path: '/resource/ViewSetTemplate/',
  access: unless('disable.new_template'),
  body: z.strictObject({ customerId: uuid, name: z.string().trim().min(1).max(100), viewSetItems: newSlots }),
  reply: template,
});

/** Sets the favourites of the caller. */
export const templateFavorite = route({
  method: 'PUT',
  path: '/resource/ViewSetTemplate/favorite',
  access: signedIn,
  body: z.strictObject({ uuid, isFavorite: z.boolean() }),
  reply: template,
});
