/** Stands in for 'dcmjs' in the bundle, of which Cornerstone's list of transfer syntaxes takes these four (PS3.6 A). */
export const constants = {
  IMPLICIT_LITTLE_ENDIAN: '1.2.840.10008.1.2',
  EXPLICIT_LITTLE_ENDIAN: '1.2.840.10008.1.2.1',
  DEFLATED_EXPLICIT_LITTLE_ENDIAN: '1.2.840.10008.1.2.1.99',
  EXPLICIT_BIG_ENDIAN: '1.2.840.10008.1.2.2',
} as const;
