import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import type { Annotation } from '../../dicom/imaging.ts';

const supported = ['patient', 'technique'];

const valuesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

/** Returns the texts that a request asks for, with patient and day as metadata have them; null: none. */
export const annotationOf = (text: string | undefined, row: DicomWebImageRow): Annotation | null => {
  const values = valuesIn(text);
  if (!values.some((value) => supported.includes(value))) return null;
  const { last_name, first_name, birth_date, personal_number, study_date } = row;
  const name = [last_name, first_name].filter((part) => part !== '').join(', ');
  const patient = [name, birth_date ?? '', personal_number ?? ''].filter((line) => line !== '');
  return {
    patient: values.includes('patient') ? patient : null,
    technique: values.includes('technique') ? { day: study_date } : null,
  };
};

/** Returns the header of a reply that ignores values (PS3.18 8.3.5.1.1). They may be anything, so only printable ones are named. */
export const annotationWarning = (text: string | undefined, root: string): { readonly warning?: string } => {
  const ignored = valuesIn(text).filter((value) => !supported.includes(value));
  if (ignored.length === 0) return {};
  const named = ignored.filter((value) => /^[\w.-]{1,40}$/.test(value));
  return { warning: `299 ${root}: The following annotation values are not supported: ${named.join(', ') || 'others'}` };
};
