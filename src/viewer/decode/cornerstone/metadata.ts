/**
 * Replaces '@cornerstonejs/metadata' in the bundle: the same provider chain and names, without the DICOM dictionary
 * (dcmjs) that its index loads at start. Cornerstone's loader and cache need nothing else.
 */
export * as Enums from '@cornerstonejs/metadata/enums';
export * as metaData from '@cornerstonejs/metadata/metaData';
export * as utilities from './metadata-utilities.ts';
