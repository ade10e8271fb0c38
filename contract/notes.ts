import { z } from 'zod';
import { moment, recordVersion, reference, uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';

/** What a note is about: one image, or a mount as a whole. */
export const noteSubject = z.enum(['image', 'viewset']);
export type NoteSubject = z.infer<typeof noteSubject>;

const writtenState = z.enum(['draft', 'signed']);
/** A draft is visible to colleagues, marked as such. `removed` has no text. */
export const noteState = z.enum([...writtenState.options, 'removed']);
export type NoteState = z.infer<typeof noteState>;

/** The newest version of a note without its text, for lists and images. */
export const noteSummary = z.object({ version: z.number().int().min(1), state: noteState });
export type NoteSummary = z.infer<typeof noteSummary>;

/** Characters of a note. */
export const maxNoteLength = 2_000;

/** Returns a text with `\n` as its only line end, without other control characters than tabs, and without space around it. */
export const normalizedNote = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim();

const noteText = z.string().overwrite(normalizedNote).min(1).max(maxNoteLength);

/** One saved version of a note. It never changes. */
export const noteVersion = noteSummary.extend({
  text: z.string(),
  /** The user who saved or signed it, with the name at that time. */
  author: reference,
  savedAt: moment,
});
export type NoteVersion = z.infer<typeof noteVersion>;

/** All versions of a note, newest first; none: it was never written. */
export const noteGet = route({
  method: 'GET',
  path: '/resource/note/:subject/:id',
  params: z.object({ subject: noteSubject, id: uuid }),
  access: signedIn,
  reply: z.object({ versions: z.array(noteVersion) }),
});

/** `version`: the newest one that the user saw; 0: none. */
const basis = { subject: noteSubject, id: uuid, version: recordVersion };

/**
 * Saves a new version of a note; earlier ones stay. `signed` is signed by the caller. Fails with `conflict` when `version` is not the newest
 * stored one: another user has saved one meanwhile.
 */
export const noteSave = route({
  method: 'PUT',
  path: '/resource/note',
  access: signedIn,
  body: z.discriminatedUnion('state', [
    z.strictObject({ ...basis, state: writtenState, text: noteText }),
    z.strictObject({ ...basis, state: z.literal('removed') }),
  ]),
  reply: noteVersion,
});
