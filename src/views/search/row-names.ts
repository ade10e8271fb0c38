interface Named {
  readonly firstName: string;
  readonly lastName: string;
}

export const fullName = ({ firstName, lastName }: Named): string => `${firstName} ${lastName}`;
export const nameOfPatient = ({ mainInfo }: { readonly mainInfo: Named }): string => fullName(mainInfo);

/** Returns date and description of a study; `untitled` without a description. */
export const nameOfStudy = (
  { studyDate, description }: { readonly studyDate: string | null; readonly description: string },
  untitled: string,
): string => [studyDate, description.trim()].filter(Boolean).join(' ') || untitled;
