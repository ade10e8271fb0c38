/**
 * Stands in for '@cornerstonejs/metadata' in the bundle: the same provider chain and words, without the DICOM dictionary
 * (dcmjs) that its index reads when it starts. Cornerstone's loader and cache ask for nothing else.
 */
export * as Enums from '@cornerstonejs/metadata/enums';
export * as metaData from '@cornerstonejs/metadata/metaData';
export * as utilities from './metadata-utilities.ts';
