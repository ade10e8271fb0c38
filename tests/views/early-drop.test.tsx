import { createEvent, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
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
  expect(await screen.findByText('The page is still loading. Drop the files again in a moment')).toBeTruthy();
  page.unmount();
  expect(drag('drop', ['Files'])).toBe(false);
});
