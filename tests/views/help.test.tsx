import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fileProblem } from '../../contract/imports.ts';
import { problemCodes } from '../../contract/problem.ts';
import { HelpRoute } from '../../src/views/app/help-route.tsx';
import { blocksOf, countMatches, type HelpChapter, searchHelp } from '../../src/views/help/help-book.ts';
import { createTranslation, loadAppTexts, loadHelpTexts, setLanguage } from '../../src/views/language/translation.ts';
import { viewerCommandOf } from '../../src/views/workspace/viewer/viewer-keys.ts';
import { show } from './render.tsx';

// The renderer of the viewer needs a browser; its table of shortcuts does not.
vi.mock('../../src/viewer/index.ts', () => import('./viewer/viewer-without-gpu.ts'));

const book: readonly HelpChapter[] = [
  {
    id: 'one',
    title: 'One',
    sections: [
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
    sections: [
      { id: 'c', kind: 'messages', title: 'Said', messages: [{ id: 's', text: 'No network', meaning: 'Check it' }] },
    ],
  },
];

it('finds sections with all words, ignoring accents, case and order', () => {
  const found = (text: string) =>
    searchHelp(book, text).map(({ id, sections: pieces }) => [id, ...pieces.map((piece) => piece.id)]);
  expect(found('')).toEqual([
    ['one', 'a', 'b'],
    ['two', 'c'],
  ]);
  expect(found('TANDERNA räkn')).toEqual([['one', 'a']]);
  expect(found('check network')).toEqual([['two', 'c']]);
  expect(found('tänder network')).toEqual([]);
  expect(countMatches(searchHelp(book, 'pixels'))).toBe(1);
  expect(countMatches(book)).toBe(4);
});

it('parses lines with a dash as list items, and with a dollar sign as commands', () => {
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
  const shown = await show(<HelpRoute />, loadHelpTexts);
  return { shown, sections: () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent) };
};

it('shows its chapters and the explanation of each message', async () => {
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
  const messages = shown.container.querySelectorAll('[data-kind=messages] dt');
  // Three more failures than error codes, and ten messages of specific pages.
  expect(messages.length).toBe(problemCodes.length + 3 + 10 + fileProblem.options.length);
});

it('finds a message by its words, and reports no matches', async () => {
  const { sections } = await openHelp();
  const box = screen.getByRole('searchbox', { name: 'Search the help' });
  fireEvent.change(box, { target: { value: 'another user changed this at the same time' } });
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

it('lists every shortcut of the viewer', async () => {
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
      .filter((shiftKey) => viewerCommandOf({ key, shiftKey, ctrlKey: false, metaKey: false, altKey: false }) !== null)
      // "+" and "?" need Shift in some layouts only.
      .map(
        (shiftKey) =>
          `${shiftKey && !/[+?]/.test(key) ? 'Shift + ' : ''}${names[key] ?? (key.length === 1 ? key.toUpperCase() : key)}`,
      ),
  );
  expect(answered.length).toBeGreaterThan(30);
  expect(answered.filter((key) => !printed.has(key))).toEqual([]);
});

it.each(['sv', 'en', 'da', 'no'] as const)('names buttons in %s by their labels', async (language) => {
  const translation = await createTranslation(language);
  await loadHelpTexts(translation);
  const texts: Record<string, string> = translation.getResourceBundle(language, 'help');
  const named = Object.values(texts).flatMap((text) =>
    [...text.matchAll(/\$t\(([^)]+)\)/g)].map(([, key]) => key ?? ''),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((key) => !translation.exists(key, { fallbackLng: language }))).toEqual([]);
  for (const key of Object.keys(texts)) expect(translation.t(`help:${key}` as 'help:title')).not.toMatch(/\$t\(/);
});

it('loads with its page, in each chosen language', async () => {
  const translation = await createTranslation('sv');
  expect(translation.hasResourceBundle('sv', 'help')).toBe(false);
  await loadHelpTexts(translation);
  expect(translation.t('help:title')).toBe('Hjälp');
  await setLanguage(translation, 'da');
  expect(translation.t('help:title')).toBe('Hjælp');
});

it('is not loaded with the pages behind sign-in', async () => {
  const translation = await createTranslation('en');
  await loadAppTexts(translation);
  expect(['viewer', 'help'].map((name) => translation.hasResourceBundle('en', name))).toEqual([true, false]);
});
