import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withFocusKept } from '../../src/views/shell/focus-kept.ts';

let stop = () => {};
beforeEach(() => {
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/gallery');
  document.body.innerHTML = `
    <main id="content" tabindex="-1"><button id="goes"></button><button id="stays"></button></main>
    <div role="dialog"><button id="in-dialog"></button></div>`;
  stop = withFocusKept(document);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

const at = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no ${id}`);
  return found;
};
const press = (id: string, key = 'Enter') => {
  at(id).focus();
  fireEvent.keyDown(at(id), { key });
};
/** Longer than anything here waits. */
const aWhile = () => vi.advanceTimersByTimeAsync(1_000);

it.each(['Enter', ' '])('goes on in the content when the button that was pressed (%j) is gone', async (key) => {
  press('goes', key);
  at('goes').remove();
  await aWhile();
  expect(document.activeElement).toBe(at('content'));
});

it('waits for the answer by which the button goes', async () => {
  press('goes');
  at('stays').textContent = 'Searching';
  await aWhile();
  expect(document.activeElement).toBe(at('goes'));
  at('goes').remove();
  await aWhile();
  expect(document.activeElement).toBe(at('content'));
});

it('leaves the focus where somebody has led it', async () => {
  press('goes');
  at('goes').remove();
  at('stays').focus();
  await aWhile();
  expect(document.activeElement).toBe(at('stays'));
});

it.each<[string, () => void]>([
  ['another page was opened', () => window.history.pushState(null, '', '/patient')],
  ['the pointer has pressed since', () => fireEvent.pointerDown(document.body)],
])('does nothing where %s', async (_, happens) => {
  press('goes');
  happens();
  at('goes').remove();
  await aWhile();
  expect(document.activeElement).toBe(document.body);
});

it('leaves dialogs to those who lead the focus back from them', async () => {
  press('in-dialog');
  at('in-dialog').remove();
  await aWhile();
  expect(document.activeElement).toBe(document.body);
});
