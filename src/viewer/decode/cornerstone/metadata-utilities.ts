export { default as imageIdToURI } from '@cornerstonejs/metadata/utilities/imageIdToURI';
