import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import type { i18n } from 'i18next';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach } from 'vitest';
import {
  createTranslation,
  loadAdministrationTexts,
  loadAppTexts,
  loadAuthTexts,
} from '../../src/views/language/translation.ts';

afterEach(cleanup);

// jsdom has no media queries and no layout.
window.matchMedia ??= (media: string) =>
  ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
};

/** Renders a component in English. `more`: texts of its page. */
export const show = async (piece: ReactNode, more?: (translation: i18n) => Promise<void>) => {
  const translation = await createTranslation('en');
  await Promise.all([
    loadAuthTexts(translation),
    loadAppTexts(translation),
    loadAdministrationTexts(translation),
    more?.(translation),
  ]);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  // Waits for lazy code that is already loaded.
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
