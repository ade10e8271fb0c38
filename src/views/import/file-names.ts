/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The path without its last part; '' for a loose file. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The first folder of a path; '' for a loose file. */
export const topFolder = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

const extensionOf = (path: string): string => /\.([^./]+)$/.exec(nameOf(path))?.[1]?.toLowerCase() ?? '';

/** The table of contents of a disc. ISO 9660 puts a version behind names: `DICOMDIR;1`, and knows capitals alone; copies may not. */
export const isDirectoryFile = (path: string): boolean => /^dicomdir\.?(;\d+)?$/i.test(nameOf(path));

export const isZip = (path: string): boolean => extensionOf(path) === 'zip';
export const isPicture = (path: string): boolean => ['jpg', 'jpeg', 'png'].includes(extensionOf(path));

/** Files and folders that a system keeps for itself, wherever they lie. */
export const isLitter = (path: string): boolean =>
  path
    .split('/')
    .some((part) => /^(\.|__MACOSX$|Thumbs\.db$|desktop\.ini$|\$RECYCLE\.BIN$|System Volume Information$)/i.test(part));

/** What lies beside images on discs and in exports. Names of DICOM files end in nothing, in `dcm` or in digits of a UID. */
const nonImages = new Set(
  [
    'exe dll inf ini bat cmd com msi sys ocx lnk url jar class so dylib',
    'html htm css js mjs json xml xsl xslt dtd xsd php asp',
    'pdf txt rtf doc docx xls xlsx ppt pptx odt ods csv md log hlp chm',
    'ico svg ttf otf woff woff2 db cfg conf config properties manifest',
    'mp3 wav avi mp4 mov wmv mpg mpeg swf',
  ]
    .join(' ')
    .split(' '),
);

/** By its ending: a program, a text, a sound; nothing that could be an image. */
export const isNonImage = (path: string): boolean => nonImages.has(extensionOf(path));
