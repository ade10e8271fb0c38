import { z } from 'zod';
import { uuid } from './bounds.ts';
import { imageInfo } from './images.ts';
import { route, signedIn } from './route.ts';
import { tooth } from './teeth.ts';

/** A slot of a mount. Lengths and places are in the units of the mount (its `width` and `height`), origin top left. */
const slot = z.object({
  itemIndex: z.number().int(),
  /** Capture order, from 1. */
  order: z.number().int(),
  xPos: z.number(),
  yPos: z.number(),
  width: z.number(),
  height: z.number(),
  rotation: z.number().int(),
  horizontalFlip: z.boolean(),
  teeth: z.array(tooth),
  description: z.string().nullable(),
});

export const viewsetItem = slot.extend({ activeImage: imageInfo.nullable() });

export const viewset = z.object({
  viewSetUuid: uuid,
  name: z.string(),
  comments: z.string().nullable(),
  templateUUID: uuid.nullable(),
  width: z.number(),
  height: z.number(),
  patientId: uuid,
  studyUid: z.string(),
  viewSetItems: z.array(viewsetItem),
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

export const templates = route({
  method: 'GET',
  path: '/resource/ViewSetTemplate/',
  access: signedIn,
  reply: z.array(template),
});
