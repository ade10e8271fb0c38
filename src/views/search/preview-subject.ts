/** Patient or study whose newest images are previewed. */
export interface PreviewSubject {
  readonly of: { readonly patientId: string } | { readonly studyId: string };
  /** Title, and a second line that distinguishes records of the same name. */
  readonly name: string;
  readonly detail: string;
  /** Minimum number of expected images; 0: nothing is requested. */
  readonly awaited: number;
}

/** Number of images that fill the preview. */
export const maxPreviewed = 6;
