import { z } from 'zod';
import { uuid } from './bounds.ts';
import { imageKinds } from './image-kinds.ts';
import { route, signedIn } from './route.ts';

/** Modalities of images made with X-rays. */
const exposedModalities = ['CR', 'CT', 'DX', 'IO', 'MG', 'PX', 'RF', 'RG', 'XA'];

/** Returns whether images of this modality are made with X-rays. */
export const isExposed = (modality: string): boolean => exposedModalities.includes(modality);

const stated = z.number().nullable();

/** How an image was exposed, as its file states it; null: not stated. */
export const imageDose = route({
  method: 'GET',
  path: '/resource/dose/image/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: z.object({
    tubeVoltageKv: stated,
    tubeCurrentMa: stated,
    exposureTimeMs: stated,
    areaDoseMgyCm2: stated,
    entranceDoseMgy: stated,
    exposureIndex: stated,
    targetExposureIndex: stated,
    deviationIndex: stated,
  }),
});
export type ImageDose = z.infer<typeof imageDose.reply>;

const count = z.number().int();
const kind = z.enum(imageKinds);

/** Exposures, how many of them have a stated dose area product, and its sum; null where none has. */
const doseSum = z.object({ exposures: count, stated: count, areaDoseMgyCm2: stated });
export type DoseSum = z.infer<typeof doseSum>;

/**
 * Dose area products of a patient's exposures by year, newest first; year null: without a date. Images of one irradiation event are one
 * exposure. Where files do not name the event, each image is one, and the slices of a series are one together.
 */
export const patientDose = route({
  method: 'GET',
  path: '/resource/dose/patient/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: z.object({
    years: z.array(doseSum.extend({ year: count.nullable(), kinds: z.array(doseSum.extend({ kind })) })),
    /** Median per exposure of the clinic in the last 12 months, of the kinds above; `exposures`: those with a stated dose. */
    medians: z.array(z.object({ kind, exposures: count, areaDoseMgyCm2: z.number() })),
    /** Images whose files were not read yet, for example right after an import; their dose is missing in the sums. */
    unread: count,
  }),
});
export type PatientDose = z.infer<typeof patientDose.reply>;
