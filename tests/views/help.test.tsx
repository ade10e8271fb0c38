import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, it, vi } from 'vitest';
import { fileProblem } from '../../contract/imports.ts';
import { problemCodes } from '../../contract/problem.ts';
import { blocksOf, countPlaces, type HelpChapter, searchHelp } from '../../src/views/help/help-book.ts';
import { HelpRoute } from '../../src/views/help-route.tsx';
import { createTranslation, speak, speakInHelp } from '../../src/views/language/translation.ts';
import { roomCommandOf } from '../../src/views/viewer/room-keys.ts';
import { show } from './render.tsx';

// The drawing half of the viewer needs a browser; its table of keys does not.
vi.mock('../../src/viewer/index.ts', () => import('./viewer/door.ts'));

const book: readonly HelpChapter[] = [
  {
    id: 'one',
    title: 'One',
    pieces: [
      { id: 'a', kind: 'words', title: 'Räkna', text: 'Tänderna räknas' },
      {
        id: 'b',
        kind: 'keys',
        title: 'Keys',
        rows: [
          { keys: ['Q'], text: 'Fit' },
          { keys: ['X'], text: 'Pixels' },
        ],
      },
    ],
  },
  {
    id: 'two',
    title: 'Two',
    pieces: [
      { id: 'c', kind: 'sayings', title: 'Said', sayings: [{ id: 's', said: 'No network', meant: 'Check it' }] },
    ],
  },
];

it('finds what holds all words, accents, case and order aside', () => {
  const found = (text: string) =>
    searchHelp(book, text).map(({ id, pieces }) => [id, ...pieces.map((piece) => piece.id)]);
  expect(found('')).toEqual([
    ['one', 'a', 'b'],
    ['two', 'c'],
  ]);
  expect(found('TANDERNA räkn')).toEqual([['one', 'a']]);
  expect(found('check network')).toEqual([['two', 'c']]);
  expect(found('tänder network')).toEqual([]);
  expect(countPlaces(searchHelp(book, 'pixels'))).toBe(1);
  expect(countPlaces(book)).toBe(4);
});

it('takes lines with a dash for steps, and those with a dollar sign for commands', () => {
  expect(blocksOf('Type\n$ npm start')).toEqual([
    { kind: 'paragraph', text: 'Type' },
    { kind: 'command', text: 'npm start' },
  ]);
  expect(blocksOf('First\n- one\n- two\nLast')).toEqual([
    { kind: 'paragraph', text: 'First' },
    { kind: 'steps', steps: ['one', 'two'] },
    { kind: 'paragraph', text: 'Last' },
  ]);
});

const openHelp = async () => {
  const shown = await show(<HelpRoute />, speakInHelp);
  return { shown, sections: () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent) };
};

it('has its chapters, and what each message means', async () => {
  const { shown, sections } = await openHelp();
  expect(sections()).toEqual([
    'Signing in',
    'Finding patients',
    'Patients and images',
    'Importing',
    'Administration',
    'Keyboard shortcuts',
    'What the messages mean',
    'For testers',
  ]);
  const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
  for (const link of links) expect(shown.container.querySelector(link.getAttribute('href') ?? '')).toBeTruthy();
  const sayings = shown.container.querySelectorAll('[data-kind=sayings] dt');
  // Three more failures than refusals, and ten messages of certain pages.
  expect(sayings.length).toBe(problemCodes.length + 3 + 10 + fileProblem.options.length);
});

it('finds a message by its words, and says when nothing fits', async () => {
  const { sections } = await openHelp();
  const box = screen.getByRole('searchbox', { name: 'Search the help' });
  fireEvent.change(box, { target: { value: 'somebody else changed' } });
  expect(sections()).toEqual(['What the messages mean']);
  expect(screen.getByText('1 place found')).toBeTruthy();
  fireEvent.change(box, { target: { value: 'zebra' } });
  expect(screen.getByText(/Nothing found for/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show everything' }));
  expect(sections()).toHaveLength(8);
});

it('is printed by the browser', async () => {
  await openHelp();
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await userEvent.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

it('lists every key that the viewer answers', async () => {
  const { shown } = await openHelp();
  const printed = new Set([...shown.container.querySelectorAll('kbd')].map(({ textContent }) => textContent));
  const names: Readonly<Record<string, string>> = {
    ' ': 'Space',
    ArrowLeft: 'Arrow keys',
    ArrowDown: 'Arrow keys',
    PageUp: 'Page Up',
    PageDown: 'Page Down',
    Escape: 'Esc',
  };
  const signs = [...'abcdefghijklmnopqrstuvwxyz0123456789+-,.?'];
  const keys = [...signs, ...Object.keys(names), 'Enter', 'Delete', 'Backspace'];
  const answered = keys.flatMap((key) =>
    [false, true]
      .filter((shiftKey) => roomCommandOf({ key, shiftKey, ctrlKey: false, metaKey: false, altKey: false }) !== null)
      // "+" and "?" lie on Shift in some layouts and not in others.
      .map(
        (shiftKey) =>
          `${shiftKey && !/[+?]/.test(key) ? 'Shift + ' : ''}${names[key] ?? (key.length === 1 ? key.toUpperCase() : key)}`,
      ),
  );
  expect(answered.length).toBeGreaterThan(30);
  expect(answered.filter((key) => !printed.has(key))).toEqual([]);
});

it.each(['sv', 'en', 'da', 'no'] as const)('names buttons in %s by the words that stand on them', async (language) => {
  const translation = await createTranslation(language);
  await speakInHelp(translation);
  const texts: Record<string, string> = translation.getResourceBundle(language, 'help');
  const named = Object.values(texts).flatMap((text) =>
    [...text.matchAll(/\$t\(([^)]+)\)/g)].map(([, key]) => key ?? ''),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((key) => !translation.exists(key, { fallbackLng: language }))).toEqual([]);
  for (const key of Object.keys(texts)) expect(translation.t(`help:${key}` as 'help:title')).not.toMatch(/\$t\(/);
});

it('comes with its page, and then in every language that is chosen', async () => {
  const translation = await createTranslation('sv');
  expect(translation.hasResourceBundle('sv', 'help')).toBe(false);
  await speakInHelp(translation);
  expect(translation.t('help:title')).toBe('Hjälp');
  await speak(translation, 'da');
  expect(translation.t('help:title')).toBe('Hjælp');
});

let rooms: Readonly<Record<string, unknown>> = {};
beforeAll(async () => {
  rooms = (await import('../../src/views/language/en-rooms.ts')).texts;
});
it('does not travel with the rooms', () => {
  expect(Object.keys(rooms).filter((path) => path.includes('help'))).toEqual([]);
});
