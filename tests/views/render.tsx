import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import type { i18n } from 'i18next';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach } from 'vitest';
import { createTranslation, speakAtDoors, speakInRooms } from '../../src/views/language/translation.ts';

afterEach(cleanup);

// jsdom has no media queries, and lays nothing out.
window.matchMedia ??= (media: string) =>
  ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

/** Puts a piece of the product on a page, in English. `more`: words that come with its page. */
export const show = async (piece: ReactNode, more?: (translation: i18n) => Promise<void>) => {
  const translation = await createTranslation('en');
  await Promise.all([speakAtDoors(translation), speakInRooms(translation), more?.(translation)]);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  // What the piece waits for and is there already (a service whose code has come) is waited for.
  return await act(async () =>
    render(
      <MantineProvider>
        <I18nextProvider i18n={translation}>
          <QueryClientProvider client={client}>{piece}</QueryClientProvider>
        </I18nextProvider>
      </MantineProvider>,
    ),
  );
};
