import { z } from 'zod';
import { uuid } from './bounds.ts';
import { bytes, route, signedIn, unless } from './route.ts';
import { type Slot, template } from './viewsets.ts';

/** A template as a Hanging Protocol (DICOM PS3.3 A.44), application/dicom. What it cannot say: `templatePartsNotExpressed`. */
export const templateObject = route({
  method: 'GET',
  path: '/resource/ViewSetTemplate/:id/dicom',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: bytes,
});

/** What other programs do not read from the Hanging Protocol of a template. This program reads it nevertheless. */
export type TemplatePart = 'rotation' | 'flip';

export const templatePartsNotExpressed = (
  slots: readonly Pick<Slot, 'rotation' | 'horizontalFlip'>[],
): TemplatePart[] => [
  ...(slots.some(({ rotation }) => rotation !== 0) ? (['rotation'] as const) : []),
  ...(slots.some(({ horizontalFlip }) => horizontalFlip) ? (['flip'] as const) : []),
];

/** Bytes of a Hanging Protocol; base64 in a request that is below the limit of 1 MB. */
export const maxTemplateFileBytes = 700_000;

/** Why a file is no template: `vars.problem` of the field `file` of `invalid-request`. */
export const templateFileProblems = [
  'not-dicom',
  'damaged',
  /** A DICOM object that is no Hanging Protocol. */
  'other-object',
  'no-slots',
  'too-many-slots',
] as const;
export type TemplateFileProblem = (typeof templateFileProblems)[number];

/** What of a Hanging Protocol the template does not have. */
export const templateNotTakenParts = [
  'screens',
  'presentation-groups',
  /** Image sets of earlier studies. */
  'priors',
  /** Boxes of several images: each becomes a slot. */
  'box-kind',
  'box-place',
  'filters',
  'sorting',
  /** Conditions for images other than modality and teeth. */
  'selectors',
  /** Several modalities: the first one is used. */
  'modalities',
  /** Anatomic region or laterality of the protocol. */
  'body-part',
] as const;
export type TemplateNotTakenPart = (typeof templateNotTakenParts)[number];

/**
 * Creates a template of the clinic from a Hanging Protocol: of this program value by value. The same template is not created twice: the reply
 * is the one that is there.
 */
export const templateImport = route({
  method: 'POST',
  path: '/resource/ViewSetTemplate/dicom',
  access: unless('disable.new_template'),
  body: z.strictObject({
    customerId: uuid,
    /** Bytes of the file, base64. */
    file: z.base64().max(Math.ceil(maxTemplateFileBytes / 3) * 4),
  }),
  reply: z.object({ template, notTaken: z.array(z.string()) }),
});
