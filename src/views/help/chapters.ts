import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { searchMinimumCharacters } from '../../../contract/bounds.ts';
import { openedLimit, waitingDays } from '../../../contract/day-lists.ts';
import { type FileProblem, fileProblem } from '../../../contract/imports.ts';
import { problemCodes } from '../../../contract/problem.ts';
import type { HelpChapter, HelpMessage, HelpSection, KeyRow } from './help-book.ts';

type HelpText = TFunction<['help', 'failure', 'import', 'about', 'patient', 'sign-in', 'shell', 'viewer']>;

/** Advice for a file that was not imported. */
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
  'picture-unsupported': 'save-picture',
  'video-unsupported': 'save-video',
  'media-directory': 'nothing',
  'hanging-protocol': 'template',
  'same-uid-other-bytes': 'same-identity',
  'study-of-another-patient': 'other-patient',
  'series-of-another-patient': 'other-patient',
  'image-of-another-patient': 'other-patient',
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

/** General failures come first: they can occur on any page. */
const codes = ['offline', 'unexpected', 'drift', ...problemCodes] as const;

/** Returns all error messages with their explanation: general, by page, and by file. */
const messageSections = (t: HelpText): readonly HelpSection[] => {
  const message = (id: string, text: string, meaning: string): HelpMessage => ({ id, text, meaning });
  return [
    {
      id: 'messages-general',
      kind: 'messages',
      title: t('messages-general'),
      messages: codes.map((code) => message(code, t(`failure:${code}`), t(`help:${code}`))),
    },
    {
      id: 'messages-places',
      kind: 'messages',
      title: t('messages-places'),
      messages: [
        message('server', t('patient:loadFailed'), t('says-server')),
        message('data-library', t('about:dataLibraryMissing'), t('says-data-library')),
        message('mount', t('patient:viewsetFailed'), t('says-mount')),
        message('thumbnail', t('patient:thumbnailFailed'), t('says-thumbnail')),
        message('files', t('import:resultFailed'), t('says-files')),
        message('no-directory', t('import:noDirectory'), t('says-no-directory')),
        message('import-down', t('shell:importDown'), t('says-import-down')),
        message('sign-in', t('sign-in:loginServer'), t('says-sign-in')),
        message('graphics', t('viewer:graphicsLost'), t('says-graphics')),
        message('crash', t('shell:crashTitle'), t('says-crash')),
      ],
    },
    {
      id: 'messages-files',
      kind: 'messages',
      title: t('messages-files'),
      messages: fileProblem.options.map((problem) =>
        message(`file-${problem}`, t(`import:problem-${problem}`), t(`advice-${advices[problem]}`)),
      ),
    },
  ];
};

const searchBox = [
  [['/'], 'key-search'],
  [['Arrows'], 'key-hits'],
  [['Enter'], 'key-hit'],
  [['Escape'], 'key-clear'],
] as const;

const lists = [
  [['Arrows'], 'key-row'],
  [['PageUp', 'PageDown'], 'key-rows'],
  [['Home', 'End'], 'key-ends'],
  [['Enter'], 'key-open'],
  [['Space'], 'key-tick'],
  [['Shift+Arrows'], 'key-range'],
  [['Control+A'], 'key-all'],
] as const;

const gallery = [
  [['Arrows'], 'key-image'],
  [['PageUp', 'PageDown'], 'key-screen'],
  [['Home', 'End'], 'key-outer'],
  [['Enter'], 'key-open-image'],
  [['Space'], 'key-choose'],
  [['Shift+Arrows'], 'key-choose-range'],
  [['Control+A'], 'key-choose-all'],
  [['Escape'], 'key-forget'],
] as const;

/** Shortcuts of the search box, of lists and of the gallery. */
const pageKeys = (t: TFunction<'help'>): readonly HelpSection[] => [
  {
    id: 'keys-everywhere',
    kind: 'keys',
    title: t('keys-everywhere'),
    rows: searchBox.map(([keys, text]) => ({ keys, text: t(text) })),
  },
  {
    id: 'keys-list',
    kind: 'keys',
    title: t('keys-list'),
    rows: lists.map(([keys, text]) => ({ keys, text: t(text) })),
  },
  {
    id: 'keys-gallery',
    kind: 'keys',
    title: t('keys-gallery'),
    rows: gallery.map(([keys, text]) => ({ keys, text: t(text) })),
  },
];

/** Text sections of each chapter in page order. */
const textSections = {
  'sign-in': ['ways', 'codes', 'forgotten', 'lock', 'ended'],
  finding: ['searching', 'results', 'day', 'bin', 'gallery', 'privacy'],
  patient: [
    'patient-page',
    'mounts',
    'looking',
    'measuring',
    'notes',
    'quality',
    'monitor',
    'comparing',
    'printing',
    'tooth-history',
    'editing',
    'moving',
    'merging',
  ],
  importing: ['formats', 'steps', 'whose', 'received', 'stopped'],
  administration: ['users', 'passwords', 'rights', 'clinics', 'log'],
  testers: ['test-paths', 'test-charts', 'test-walks', 'test-faults', 'test-inspect'],
} as const;

const chapterNames = ['sign-in', 'finding', 'patient', 'importing', 'administration'] as const;

/** Keyboard shortcuts of a view under one heading. */
export interface KeyGroup {
  readonly title: string;
  readonly shortcuts: readonly KeyRow[];
}

/** Returns all chapters in the current language. `groups`: shortcuts of views that define their own. */
export const useHelpChapters = (groups: readonly KeyGroup[]): readonly HelpChapter[] => {
  const { t } = useTranslation(['help', 'failure', 'import', 'about', 'patient', 'sign-in', 'shell', 'viewer']);
  const { t: ownText } = useTranslation('help');
  const words = (id: (typeof textSections)[keyof typeof textSections][number]): HelpSection => ({
    id,
    kind: 'words',
    title: ownText(id),
    text: ownText(`${id}-text`, { minimum: searchMinimumCharacters, limit: openedLimit, days: waitingDays }),
  });
  const chapter = (name: keyof typeof textSections): HelpChapter => ({
    id: `help-${name}`,
    title: ownText(`chapter-${name}`),
    sections: textSections[name].map(words),
  });
  return [
    ...chapterNames.map(chapter),
    {
      id: 'help-keyboard',
      title: ownText('chapter-keyboard'),
      sections: [
        ...pageKeys(ownText),
        ...groups.map(
          ({ title, shortcuts }, index): HelpSection => ({ id: `keys-${index}`, kind: 'keys', title, rows: shortcuts }),
        ),
      ],
    },
    { id: 'help-messages', title: ownText('chapter-messages'), sections: messageSections(t) },
    chapter('testers'),
  ];
};
