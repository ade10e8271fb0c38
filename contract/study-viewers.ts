import { z } from 'zod';

/** Viewers that a clinic may offer beside Dentarium. */
export const studyViewersAtMost = 5;
/** Stands for the Study Instance UID in an address. */
export const studyPlaceholder = '{study}';
export const viewerNameLength = 40;

/** Returns the address at which a viewer opens a study. */
export const viewerLink = (address: string, studyUid: string): string =>
  address.replaceAll(studyPlaceholder, encodeURIComponent(studyUid));

/** Web viewers, and programs that open addresses of their own scheme; never `javascript:` or `data:`. */
const schemes = ['https:', 'http:', 'weasis:'];

const isOpened = (address: string): boolean => {
  const link = viewerLink(address, '1.2.3');
  return URL.canParse(link) && schemes.includes(new URL(link).protocol);
};

export const viewerAddress = z
  .string()
  .trim()
  .max(1_000)
  .refine((address) => address.includes(studyPlaceholder) && isOpened(address));

/** Another viewer that opens a study, by its address with `{study}`. */
export const studyViewer = z.strictObject({
  name: z.string().trim().min(1).max(viewerNameLength),
  address: viewerAddress,
});
export type StudyViewer = z.infer<typeof studyViewer>;

export const studyViewers = z.array(studyViewer).max(studyViewersAtMost);
