import type { TFunction } from 'i18next';
import { type FileProblem, fileProblem } from '../../../contract/imports.ts';
import { problemCodes } from '../../../contract/problem.ts';
import type { HelpPiece, Saying } from './help-book.ts';

type HelpText = TFunction<['help', 'failure', 'import', 'about', 'patient', 'sign-in', 'shell', 'viewer']>;

/** What can be done about a file that was not taken. */
const advices = {
  'not-dicom': 'other-format',
  truncated: 'export-again',
  malformed: 'export-again',
  'no-image-size': 'export-again',
  'pixel-data-short': 'export-again',
  'transfer-syntax-unsupported': 'other-format',
  'decode-failed': 'export-again',
  'too-large': 'smaller',
  empty: 'export-again',
  'picture-unreadable': 'save-picture',
  'media-directory': 'nothing',
  'same-uid-other-bytes': 'same-identity',
  'study-of-another-patient': 'other-patient',
  'took-too-long': 'export-again',
  'storage-failed': 'store',
  'file-missing': 'whole-disc',
  'zip-damaged': 'new-zip',
  'zip-encrypted': 'unpack',
  'zip-too-many-entries': 'smaller',
  'zip-too-large': 'smaller',
  'zip-bomb': 'new-zip',
  'zip-unsafe-entry': 'new-zip',
  'too-deep': 'further-in',
  'no-image': 'nothing',
} as const satisfies Record<FileProblem, string>;

/** Failures of a call that are no refusal stand first: they can meet anybody anywhere. */
const codes = ['offline', 'unexpected', 'drift', ...problemCodes] as const;

/** Every message of a failure, with what it means: those of all pages, those of certain pages, those of files. */
export const messagePieces = (t: HelpText): readonly HelpPiece[] => {
  const saying = (id: string, said: string, meant: string): Saying => ({ id, said, meant });
  return [
    {
      id: 'messages-general',
      kind: 'sayings',
      title: t('messages-general'),
      sayings: codes.map((code) => saying(code, t(`failure:${code}`), t(`help:${code}`))),
    },
    {
      id: 'messages-places',
      kind: 'sayings',
      title: t('messages-places'),
      sayings: [
        saying('server', t('patient:loadFailed'), t('says-server')),
        saying('data-library', t('about:dataLibraryMissing'), t('says-data-library')),
        saying('mount', t('patient:viewsetFailed'), t('says-mount')),
        saying('thumbnail', t('patient:thumbnailFailed'), t('says-thumbnail')),
        saying('files', t('import:resultFailed'), t('says-files')),
        saying('no-directory', t('import:noDirectory'), t('says-no-directory')),
        saying('import-down', t('shell:importDown'), t('says-import-down')),
        saying('sign-in', t('sign-in:loginServer'), t('says-sign-in')),
        saying('graphics', t('viewer:graphicsLost'), t('says-graphics')),
        saying('crash', t('shell:crashTitle'), t('says-crash')),
      ],
    },
    {
      id: 'messages-files',
      kind: 'sayings',
      title: t('messages-files'),
      sayings: fileProblem.options.map((problem) =>
        saying(`file-${problem}`, t(`import:problem-${problem}`), t(`advice-${advices[problem]}`)),
      ),
    },
  ];
};
