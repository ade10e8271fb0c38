// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { returnFocusOnClose } from '../../src/views/app/shell/focus-return.ts';

let stop: () => void;
beforeEach(() => {
  document.body.innerHTML = '<main id="content" tabindex="-1"><button id="opener">Open</button></main>';
  stop = returnFocusOnClose(document);
});
afterEach(() => stop());

const focus = (id: string) => document.getElementById(id)?.focus();
const over = (role: string, id: string) => {
  const layer = document.createElement('div');
  layer.setAttribute('role', role);
  layer.innerHTML = `<button id="${id}">x</button>`;
  document.body.append(layer);
  focus(id);
  return layer;
};
const hasFocus = (id: string) => vi.waitFor(() => expect(document.activeElement?.id).toBe(id));

it('returns to the opener of a dialog', async () => {
  focus('opener');
  over('dialog', 'field').remove();
  await hasFocus('opener');
});

it('returns to the button of the menu that led to a dialog', async () => {
  focus('opener');
  const menu = over('menu', 'item');
  const dialog = over('dialog', 'field');
  menu.remove();
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('field'));
  dialog.remove();
  await hasFocus('opener');
});

it('returns from a dialog over a dialog to the lower one, and then to the page', async () => {
  focus('opener');
  const dialog = over('dialog', 'field');
  over('dialog', 'answer').remove();
  await hasFocus('field');
  dialog.remove();
  await hasFocus('opener');
});

it('moves to the content when the opener is gone, like that of a deleted row', async () => {
  focus('opener');
  const dialog = over('dialog', 'field');
  document.getElementById('opener')?.remove();
  dialog.remove();
  await hasFocus('content');
});

it('keeps a focus that has moved elsewhere', async () => {
  focus('opener');
  const dialog = over('dialog', 'field');
  focus('content');
  dialog.remove();
  await new Promise<void>((done) => void setTimeout(done));
  expect(document.activeElement?.id).toBe('content');
});
