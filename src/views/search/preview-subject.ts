/** Of whom or what the newest images are shown beside a list. */
export interface PreviewSubject {
  readonly of: { readonly patientId: string } | { readonly studyId: string };
  /** In two lines: what it is called, and what tells it from others of that name. */
  readonly name: string;
  readonly detail: string;
  /** At least so many images are to be waited for; with 0 there are none, and nothing is asked. */
  readonly awaited: number;
}

/** So many images fill the place beside the list. */
export const mostPreviewed = 6;
