import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { focusContentAfterRemoval } from '../../src/views/app/shell/focus-return.ts';

let stop = () => {};
beforeEach(() => {
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/gallery');
  document.body.innerHTML = `
    <main id="content" tabindex="-1"><button id="removed"></button><button id="stays"></button></main>
    <div role="dialog"><button id="in-dialog"></button></div>`;
  stop = focusContentAfterRemoval(document);
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
/** Longer than any delay in this test. */
const aWhile = () => vi.advanceTimersByTimeAsync(1_000);

it.each(['Enter', ' '])('moves the focus to the content when the pressed button (%j) is removed', async (key) => {
  press('removed', key);
  at('removed').remove();
  await aWhile();
  expect(document.activeElement).toBe(at('content'));
});

it('moves the focus when the button is removed after a delay', async () => {
  press('removed');
  at('stays').textContent = 'Searching';
  await aWhile();
  expect(document.activeElement).toBe(at('removed'));
  at('removed').remove();
  await aWhile();
  expect(document.activeElement).toBe(at('content'));
});

it('keeps a focus that was moved elsewhere', async () => {
  press('removed');
  at('removed').remove();
  at('stays').focus();
  await aWhile();
  expect(document.activeElement).toBe(at('stays'));
});

it.each<[string, () => void]>([
  ['another page was opened', () => window.history.pushState(null, '', '/patient')],
  ['the pointer has pressed since', () => fireEvent.pointerDown(document.body)],
])('does nothing where %s', async (_, happens) => {
  press('removed');
  happens();
  at('removed').remove();
  await aWhile();
  expect(document.activeElement).toBe(document.body);
});

it('leaves dialogs to their own focus return', async () => {
  press('in-dialog');
  at('in-dialog').remove();
  await aWhile();
  expect(document.activeElement).toBe(document.body);
});
