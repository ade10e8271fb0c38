import { Buffer } from 'node:buffer';
import type pg from 'pg';
import { uidFrom } from '../../dicom/write/uid.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { forEachConcurrently, send } from '../import/http.ts';
import type { SearchedPatient } from './typed.ts';

/** The smallest object that names a patient: no pixels, because only names are searched. */
const objectOf = ({ first, last, digits }: SearchedPatient): Buffer =>
  Buffer.from(
    writeDicom(
      {
        SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
        SOPInstanceUID: uidFrom(`bench/search/${digits}`),
        StudyInstanceUID: uidFrom(`bench/search/${digits}/study`),
        SeriesInstanceUID: uidFrom(`bench/search/${digits}/series`),
        SpecificCharacterSet: 'ISO_IR 192',
        PatientID: digits,
        PatientName: `${last}^${first}`,
        Modality: 'OT',
      },
      { transferSyntax: '1.2.840.10008.1.2.1' },
    ),
  );

/** Sends one object of each patient of a clinic of ours. Resolves with patients a second. */
export const fillOrthanc = async (url: string, client: pg.Client, customerId: string): Promise<number> => {
  const { rows } = await client.query<SearchedPatient>(
    'select first_name as first, last_name as last, search_digits as digits from patient where customer_id = $1',
    [customerId],
  );
  const began = performance.now();
  await forEachConcurrently(rows, 4, async (patient) => {
    await send('POST', `${url}/instances`, { 'content-type': 'application/dicom' }, [objectOf(patient)]);
  });
  return (rows.length * 1000) / (performance.now() - began);
};
