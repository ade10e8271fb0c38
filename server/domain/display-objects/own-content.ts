import { z } from 'zod';
import { bounds, uuid } from '../../../contract/bounds.ts';
import { calibration, display, maxMarks, measurement, storedAnnotation } from '../../../contract/displays.ts';
import { slot } from '../../../contract/viewsets.ts';

/** What the presentation states of this program say to itself: the display as it is stored, value by value. */
export const ownState = z.object({
  kind: z.literal('state'),
  /** Null: the default of the file. */
  display: display.nullable(),
  marks: z.array(measurement).max(maxMarks),
  annotations: z.array(storedAnnotation).max(maxMarks),
  calibration: calibration.nullable(),
});
export type OwnState = z.infer<typeof ownState>;

const position = z.number().min(0).max(1_000_000);
const length = z.number().positive().max(1_000_000);
/** A slot that can be stored and drawn. */
const ownSlot = slot.extend({
  itemIndex: z.int32().min(0),
  order: z.int32().min(0),
  xPos: position,
  yPos: position,
  width: length,
  height: length,
  teeth: slot.shape.teeth.max(52),
  description: z.string().max(200).nullable(),
});

/** What the structured displays of this program say to itself. Its slots are in the order of the boxes. */
export const ownMount = z.object({
  kind: z.literal('mount'),
  viewSetUuid: uuid,
  templateUuid: uuid.nullable(),
  name: z.string().max(200),
  comments: z.string().max(bounds.description[1]).nullable(),
  width: length,
  height: length,
  slots: z.array(ownSlot).max(500),
});
export type OwnMount = z.infer<typeof ownMount>;

/** What the Hanging Protocols of this program say to itself. */
export const ownTemplate = z.object({
  kind: z.literal('template'),
  name: z.string().trim().min(1).max(100),
  width: length,
  height: length,
  modality: z.string().regex(/^[A-Z0-9]{2,16}$/),
  slots: z.array(ownSlot).min(1).max(100),
});
export type OwnTemplate = z.infer<typeof ownTemplate>;
