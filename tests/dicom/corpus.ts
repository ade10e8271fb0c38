import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Real DICOM files that are stored outside the repository. */
export const corpusFolder = process.env.DENTARIUM_CORPUS ?? path.resolve(import.meta.dirname, '../../../shared/corpus');

export const corpusIsThere = existsSync(path.join(corpusFolder, 'reference', 'MANIFEST.tsv'));

export const corpusBytes = (name: string): Uint8Array => new Uint8Array(readFileSync(path.join(corpusFolder, name)));

/** Every file of the corpus but its index and its reference pictures, with `/` between folders. */
export const corpusFiles = (): readonly string[] => {
  if (!corpusIsThere) return [];
  return readdirSync(corpusFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(corpusFolder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !name.startsWith('reference/') && !name.startsWith('INDEX.'))
    .sort();
};

export interface ReferencePicture {
  readonly file: string;
  /** Counted from 1. */
  readonly frame: number;
  readonly mode: string;
}

/** The rows of the manifest that are meant to be compared. */
export const referencePictures = (): readonly ReferencePicture[] => {
  if (!corpusIsThere) return [];
  const [head = '', ...lines] = readFileSync(path.join(corpusFolder, 'reference', 'MANIFEST.tsv'), 'utf8')
    .trim()
    .split('\n');
  const columns = head.split('\t');
  return lines.flatMap((line) => {
    const row = Object.fromEntries(line.split('\t').map((value, index) => [columns[index], value]));
    return row.compare === 'yes' ? [{ file: row.file, frame: Number(row.frame), mode: row.mode }] : [];
  });
};

export const referencePath = ({ file, frame, mode }: ReferencePicture): string =>
  path.join(corpusFolder, 'reference', `${file}.f${frame}.${mode}.png`);

/** Reference pictures of which some points may differ by more than rounding (2 of 255, 3 for lossy syntaxes), each with its cause. */
export const referenceExceptions: Readonly<Record<string, { readonly points: number; readonly cause: string }>> = {
  'jpeg-extended-12/RG3_JPLY frame 1 window': {
    points: 8,
    cause:
      'the reference wraps what overshoots Bits Stored; the lossless copy of this picture shows that these points are bright',
  },
};
