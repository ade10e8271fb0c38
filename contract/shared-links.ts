import { z } from 'zod';
import { moment, uuid } from './bounds.ts';
import { display } from './displays.ts';
import { downloadScope, hasOneScope, maxQuestionLength } from './gallery.ts';
import { renditionQuery } from './images.ts';
import { recipientFields, recipientLength } from './recipient.ts';
import { bytes, emptyBody, emptyReply, route, unless } from './route.ts';
import { tooth } from './teeth.ts';

/** Days for which a link can be valid. */
export const linkDays = ['1', '7', '30'] as const;
/** Wrong codes after which a link is closed. */
export const maxWrongCodes = 5;
/** Digits and capital letters that are not mistaken for each other when they are read aloud or typed. */
export const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
export const codeLength = 8;
/** Days for which a link stays listed after its end. */
export const endedListedDays = 90;

/** Returns a code as it is shown: `ABCD-EFGH`. */
export const shownCode = (code: string): string => `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;

/** Returns a typed code as it was made: capital letters without spaces and hyphens. */
export const typedCode = (text: string): string => text.toUpperCase().replace(/[\s\u2010-\u2015-]/g, '');

export const sharedLinkMade = z.object({ id: uuid, secret: z.string(), code: z.string(), expiresAt: moment });
export type SharedLinkMade = z.infer<typeof sharedLinkMade>;

/**
 * Makes a link to a page with images of one patient, for a recipient without an account. Fails with `sharing-off` when the clinic does not
 * share, with `image-of-another-patient` for images of several patients and with `too-many-files` for more than 500. Without `showsPatient`
 * nothing that names the patient leaves: documents are left out, the download is an anonymised copy, and images whose files do not deny
 * text in their pixels must have been confirmed by their number, `confirmedBurnedIn`; fails with `conflict` if there are more.
 * The secret and the code are in this reply only.
 */
export const sharedLinkCreate = route({
  method: 'POST',
  path: '/resource/shared-link',
  body: z
    .strictObject({
      ...downloadScope,
      ...recipientFields,
      recipient: z.string().trim().min(1).max(recipientLength),
      question: z.string().trim().min(1).max(maxQuestionLength).optional(),
      days: z.enum(linkDays),
      showsPatient: z.boolean(),
      confirmedBurnedIn: z.int32().min(0).optional(),
    })
    .refine(hasOneScope),
  access: unless('disable.open'),
  reply: sharedLinkMade,
});

export const linkStates = ['open', 'expired', 'ended', 'wrong-codes', 'clinic-off'] as const;

export const sharedLink = z.object({
  id: uuid,
  recipient: z.string(),
  purpose: z.string().nullable(),
  images: z.number().int(),
  madeBy: z.string(),
  madeAt: moment,
  expiresAt: moment,
  opened: z.number().int(),
  lastOpenedAt: moment.nullable(),
  /** `ended`: by a user. `clinic-off`: the clinic stopped sharing. */
  state: z.enum(linkStates),
  endedAt: moment.nullable(),
});
export type SharedLink = z.infer<typeof sharedLink>;

/** The links of a patient, newest first; those that ended more than 90 days ago are not listed. */
export const sharedLinkList = route({
  method: 'GET',
  path: '/resource/shared-link/patient/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.open'),
  reply: z.object({
    /** The clinic shares images by link. */
    isOffered: z.boolean(),
    data: z.array(sharedLink),
  }),
});

/** Ends a link at once. Does nothing when it has ended. */
export const sharedLinkEnd = route({
  method: 'PUT',
  path: '/resource/shared-link/end/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.open'),
  reply: emptyReply,
});

export const sharedImage = z.object({
  uid: uuid,
  kind: z.enum(['image', 'document']),
  /** `YYYY-MM-DD`; null when not known. */
  date: z.string().nullable(),
  modality: z.string(),
  teeth: z.array(tooth),
  frames: z.number().int(),
  transferSyntax: z.string(),
  /** As the clinic shows it: its saved display, else turned as in its slot. Null: as stored. */
  display: display.nullable(),
});
export type SharedImage = z.infer<typeof sharedImage>;

/** What a link shows. */
export const sharedContent = z.object({
  clinic: z.string(),
  recipient: z.string(),
  purpose: z.string().nullable(),
  question: z.string().nullable(),
  expiresAt: moment,
  /** Null unless the sender shows who it is. */
  patient: z.object({ name: z.string(), personalNumber: z.string() }).nullable(),
  images: z.array(sharedImage),
});
export type SharedContent = z.infer<typeof sharedContent>;

/**
 * Opens a link by its secret and code. The bearer of the reply is valid for 30 minutes, and only for the three calls below. Fails with
 * `shared-link-invalid` whatever is wrong: the id, the secret, the code, or the link has ended. After 5 wrong codes the link is closed.
 */
export const sharedOpen = route({
  method: 'POST',
  path: '/resource/shared/open',
  body: z.strictObject({ id: uuid, secret: z.string().min(1).max(100), code: z.string().min(1).max(40) }),
  access: 'anyone',
  reply: sharedContent.extend({ bearer: z.string() }),
});

/** As `rendition`, for the bearer of an opened link. */
export const sharedRendition = route({
  method: 'GET',
  path: '/resource/shared/rendition',
  query: renditionQuery,
  access: 'anyone',
  reply: bytes,
});

/** A picture of at most a few hundred pixels (`image/jpeg`), for the bearer of an opened link. */
export const sharedThumbnail = route({
  method: 'GET',
  path: '/resource/shared/thumbnail',
  query: z.object({ imageUID: uuid }),
  access: 'anyone',
  reply: bytes,
});

/**
 * The images in one zip, for the bearer of an opened link: the original files, or an anonymised copy unless the sender shows who the
 * patient is. As `imageDownload`.
 */
export const sharedDownload = route({
  method: 'POST',
  path: '/resource/shared/download',
  body: emptyBody,
  access: 'anyone',
  reply: bytes,
});
