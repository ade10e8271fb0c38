import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createEvent, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { preventStrayDrops, takeEarlyDrop } from '../../src/views/app/shell/browser-defaults.ts';
import { PageLoading } from '../../src/views/app/shell/page-loading.tsx';
import { Toasts } from '../../src/views/ui/toasts.tsx';
import { show } from './render.tsx';

vi.mock('../../src/views/app/shell/reload-on-reconnect.ts', () => ({ useReloadOnReconnect: () => undefined }));

const drag = (type: 'dragOver' | 'drop', types: readonly string[]) => {
  const event = createEvent[type](document.body);
  Object.defineProperty(event, 'dataTransfer', { value: { types, dropEffect: 'copy' } });
  fireEvent(document.body, event);
  return event.defaultPrevented;
};

it('says that files dropped on a page that is still loading were not taken', async () => {
  const page = await show(
    <>
      <Toasts ready />
      <PageLoading />
    </>,
  );
  expect(drag('dragOver', ['Files'])).toBe(true);
  expect(drag('drop', ['text/plain'])).toBe(false);
  expect(screen.queryByText(/still loading/)).toBeNull();
  expect(drag('drop', ['Files'])).toBe(true);
  expect(
    await screen.findByText('The page was still loading and did not take the files. Drop them again in a moment'),
  ).toBeTruthy();
  page.unmount();
  expect(drag('drop', ['Files'])).toBe(false);
});

it('keeps the browser from opening a file dropped before the program has loaded, and takes note of it', () => {
  const html = readFileSync(path.join(import.meta.dirname, '../../index.html'), 'utf8');
  const [, script = ''] = /<script>([^<]*)<\/script>/.exec(html) ?? [];
  new Function(script)();
  expect(drag('dragOver', ['Files'])).toBe(true);
  expect(drag('drop', ['text/plain'])).toBe(false);
  expect(takeEarlyDrop(document)).toBe(false);
  expect(drag('drop', ['Files'])).toBe(true);

  const stop = preventStrayDrops(window);
  expect(takeEarlyDrop(document)).toBe(true);
  expect(drag('drop', ['Files'])).toBe(true);
  expect(takeEarlyDrop(document), 'the program has taken over').toBe(false);
  stop();
});
