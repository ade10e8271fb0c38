interface Named {
  readonly firstName: string;
  readonly lastName: string;
}

export const nameOfPerson = ({ firstName, lastName }: Named): string => `${firstName} ${lastName}`;
export const nameOfPatient = ({ mainInfo }: { readonly mainInfo: Named }): string => nameOfPerson(mainInfo);

/** A study by its day and what it says of itself; `untitled` where it says nothing. */
export const nameOfStudy = (
  { studyDate, description }: { readonly studyDate: string | null; readonly description: string },
  untitled: string,
): string => [studyDate, description.trim()].filter(Boolean).join(' ') || untitled;

/** Rows of a page of the search: they fill a usual screen. */
export const rowsOfAPage = 25;
