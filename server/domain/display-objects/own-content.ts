import { z } from 'zod';
import { uuid } from '../../../contract/bounds.ts';
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

/** What the structured displays of this program say to itself. Its slots are in the order of the boxes. */
export const ownMount = z.object({
  kind: z.literal('mount'),
  viewSetUuid: uuid,
  templateUuid: uuid.nullable(),
  name: z.string(),
  comments: z.string().nullable(),
  width: z.number().positive(),
  height: z.number().positive(),
  slots: z.array(slot).max(500),
});
export type OwnMount = z.infer<typeof ownMount>;
