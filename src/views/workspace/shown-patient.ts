/** The patient as named beside images, in print and in saved pictures. */
export interface ShownPatient {
  readonly name: string;
  readonly personalNumber: string;
  readonly protectedIdentity: boolean;
}
