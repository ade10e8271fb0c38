import { useTranslation } from 'react-i18next';
import { searchMinimumCharacters } from '../../../contract/bounds.ts';
import type { HelpChapter, HelpPiece, KeyRow } from './help-book.ts';
import { messagePieces } from './messages.ts';
import { pageKeys } from './page-keys.ts';

/** What is told in words, chapter by chapter, in the order of the page. */
const told = {
  'sign-in': ['ways', 'codes', 'forgotten', 'ended'],
  finding: ['searching', 'results', 'bin', 'gallery', 'privacy'],
  patient: ['patient-page', 'mounts', 'looking', 'measuring', 'comparing', 'editing', 'merging'],
  importing: ['formats', 'steps', 'whose', 'stopped'],
  administration: ['users', 'passwords', 'rights', 'clinics', 'log'],
  testers: ['test-paths', 'test-charts', 'test-walks', 'test-faults', 'test-inspect'],
} as const;

const chapterNames = ['sign-in', 'finding', 'patient', 'importing', 'administration'] as const;

/** Keys of a view, under their heading. */
export interface KeyGroup {
  readonly title: string;
  readonly shortcuts: readonly KeyRow[];
}

/** The whole help in the language that is spoken. `groups`: the keys of the views that have their own. */
export const useHelpChapters = (groups: readonly KeyGroup[]): readonly HelpChapter[] => {
  const { t } = useTranslation(['help', 'failure', 'import', 'about', 'patient', 'sign-in', 'shell', 'viewer']);
  const { t: ownText } = useTranslation('help');
  const words = (id: (typeof told)[keyof typeof told][number]): HelpPiece => ({
    id,
    kind: 'words',
    title: ownText(id),
    text: ownText(`${id}-text`, { minimum: searchMinimumCharacters }),
  });
  const chapter = (name: keyof typeof told): HelpChapter => ({
    id: `help-${name}`,
    title: ownText(`chapter-${name}`),
    pieces: told[name].map(words),
  });
  return [
    ...chapterNames.map(chapter),
    {
      id: 'help-keyboard',
      title: ownText('chapter-keyboard'),
      pieces: [
        ...pageKeys(ownText),
        ...groups.map(
          ({ title, shortcuts }, index): HelpPiece => ({ id: `keys-${index}`, kind: 'keys', title, rows: shortcuts }),
        ),
      ],
    },
    { id: 'help-messages', title: ownText('chapter-messages'), pieces: messagePieces(t) },
    chapter('testers'),
  ];
};
