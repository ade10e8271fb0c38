/** Keywords of the attributes that searches match (PS3.6). */
export const tagOfKeyword: Readonly<Record<string, string>> = {
  SOPClassUID: '00080016',
  SOPInstanceUID: '00080018',
  StudyDate: '00080020',
  SeriesDate: '00080021',
  StudyTime: '00080030',
  SeriesTime: '00080031',
  AccessionNumber: '00080050',
  Modality: '00080060',
  ModalitiesInStudy: '00080061',
  ReferringPhysicianName: '00080090',
  StudyDescription: '00081030',
  SeriesDescription: '0008103E',
  PatientName: '00100010',
  PatientID: '00100020',
  PatientBirthDate: '00100030',
  PatientSex: '00100040',
  StudyInstanceUID: '0020000D',
  SeriesInstanceUID: '0020000E',
  StudyID: '00200010',
  SeriesNumber: '00200011',
  InstanceNumber: '00200013',
  PerformedProcedureStepStartDate: '00400244',
  PerformedProcedureStepStartTime: '00400245',
};

const ofTag = /^[0-9a-f]{8}$/i;

/** Values that match everything (PS3.4 C.2.2.2.3). */
const isUniversal = (value: string): boolean => /^\**$/.test(value);

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('\\') : typeof value === 'string' ? value : '';

/** Returns the values to match by tag. Repeated UIDs are a list; other parameters of a search and unknown names are left out. */
export const matchingKeys = (query: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    const tag = Object.hasOwn(tagOfKeyword, name)
      ? tagOfKeyword[name]
      : ofTag.test(name)
        ? name.toUpperCase()
        : undefined;
    const text = textOf(value).trim();
    if (tag !== undefined && !isUniversal(text)) keys.set(tag, text);
  }
  return keys;
};
